// How many processors there are for us: affinity and quotas.

#include <heist/pool.hpp>
#include <heist/topology/parallelism.hpp>

#include <gtest/gtest.h>

#include <sched.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

namespace {

namespace fs = std::filesystem;
using heist::detail::cgroup_quota;
using heist::detail::system_paths;

constexpr const char* v2_mount =
    "24 18 0:21 / /proc rw,nosuid - proc proc rw\n"
    "31 24 0:27 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";

// A file system of our own, with the two files of /proc and the folders that the mounts show.
class a_cgroup : public testing::Test {
 protected:
  a_cgroup() {
    std::string name = (fs::temp_directory_path() / "heist-cgroup-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
  }
  ~a_cgroup() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) {
    const fs::path at = root_ / fs::path(file).relative_path();
    fs::create_directories(at.parent_path());
    std::ofstream(at) << text;
  }
  void own_cgroups(const std::string& text) { write("/proc/self/cgroup", text); }
  void mounts(const std::string& text) { write("/proc/self/mountinfo", text); }
  void v1_quota(const std::string& folder, const std::string& quota, const std::string& period) {
    write(folder + "/cpu.cfs_quota_us", quota + "\n");
    write(folder + "/cpu.cfs_period_us", period + "\n");
  }

  void v2_quota(const std::string& cpu_max) {
    mounts(v2_mount);
    own_cgroups("0::/job\n");
    write("/sys/fs/cgroup/job/cpu.max", cpu_max + "\n");
  }

  system_paths paths() const { return {root_ / "proc/self/cgroup", root_ / "proc/self/mountinfo", root_}; }
  std::optional<double> quota() const { return cgroup_quota(paths()); }
  unsigned workers() const { return heist::detail::available_parallelism(paths()); }

  fs::path root_;
};

constexpr const char* v1_mounts =
    "32 25 0:28 / /sys/fs/cgroup/memory rw,nosuid shared:10 - cgroup cgroup rw,memory\n"
    "33 25 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:11 - cgroup cgroup rw,cpu,cpuacct\n"
    "34 25 0:30 / /sys/fs/cgroup/cpuset rw,nosuid shared:12 - cgroup cgroup rw,cpuset\n";

TEST_F(a_cgroup, of_version_2_has_the_quota_in_cpu_max) {
  mounts(v2_mount);
  own_cgroups("0::/user.slice/job\n");
  write("/sys/fs/cgroup/user.slice/job/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(), 1.5);
}

TEST_F(a_cgroup, of_version_2_without_a_quota_says_max) {
  mounts(v2_mount);
  own_cgroups("0::/user.slice/job\n");
  write("/sys/fs/cgroup/user.slice/job/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST_F(a_cgroup, has_no_more_than_its_tightest_ancestor) {
  mounts(v2_mount);
  own_cgroups("0::/a/b/c/d\n");
  write("/sys/fs/cgroup/a/cpu.max", "800000 100000\n");
  write("/sys/fs/cgroup/a/b/cpu.max", "250000 100000\n");
  write("/sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n");
  write("/sys/fs/cgroup/a/b/c/d/cpu.max", "400000 100000\n");
  EXPECT_EQ(quota(), 2.5);
}

TEST_F(a_cgroup, has_no_more_than_its_parent_even_if_it_has_no_quota_itself) {
  mounts(v2_mount);
  own_cgroups("0::/a/b\n");
  write("/sys/fs/cgroup/a/cpu.max", "50000 100000\n");
  EXPECT_EQ(quota(), 0.5);
}

TEST_F(a_cgroup, is_not_limited_by_its_siblings_and_children) {
  mounts(v2_mount);
  own_cgroups("0::/a/b\n");
  write("/sys/fs/cgroup/a/b/cpu.max", "300000 100000\n");
  write("/sys/fs/cgroup/a/sibling/cpu.max", "100000 100000\n");
  write("/sys/fs/cgroup/a/b/child/cpu.max", "100000 100000\n");
  EXPECT_EQ(quota(), 3.0);
}

TEST_F(a_cgroup, at_the_root_of_its_mount_is_looked_at) {
  // Inside a container with a cgroup namespace.
  mounts(v2_mount);
  own_cgroups("0::/\n");
  write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2.0);
}

TEST_F(a_cgroup, of_version_1_has_quota_and_period_in_two_files) {
  mounts(v1_mounts);
  own_cgroups("5:memory:/job\n4:cpu,cpuacct:/job\n3:cpuset:/\n");
  v1_quota("/sys/fs/cgroup/cpu,cpuacct/job", "75000", "50000");
  EXPECT_EQ(quota(), 1.5);
}

TEST_F(a_cgroup, of_version_1_without_a_quota_says_minus_one) {
  mounts(v1_mounts);
  own_cgroups("4:cpu,cpuacct:/job\n");
  v1_quota("/sys/fs/cgroup/cpu,cpuacct/job", "-1", "100000");
  EXPECT_EQ(quota(), std::nullopt);
  v1_quota("/sys/fs/cgroup/cpu,cpuacct", "400000", "100000");
  EXPECT_EQ(quota(), 4.0);
}

TEST_F(a_cgroup, of_version_1_is_looked_for_under_the_cpu_controller_only) {
  mounts(v1_mounts);
  own_cgroups("5:memory:/m\n4:cpu,cpuacct:/c\n3:cpuset:/s\n");
  v1_quota("/sys/fs/cgroup/memory/m", "10000", "100000");
  v1_quota("/sys/fs/cgroup/cpuset/s", "10000", "100000");
  v1_quota("/sys/fs/cgroup/cpu,cpuacct/m", "10000", "100000");
  EXPECT_EQ(quota(), std::nullopt);
  v1_quota("/sys/fs/cgroup/cpu,cpuacct/c", "100000", "100000");
  EXPECT_EQ(quota(), 1.0);
}

TEST_F(a_cgroup, of_both_versions_has_the_tighter_quota) {
  mounts(std::string(v1_mounts) + "40 25 0:33 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  own_cgroups("4:cpu,cpuacct:/one\n1:name=systemd:/x\n0::/two\n");
  v1_quota("/sys/fs/cgroup/cpu,cpuacct/one", "300000", "100000");
  EXPECT_EQ(quota(), 3.0);
  write("/sys/fs/cgroup/unified/two/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2.0);
}

// A container sees its own part of the tree at the mount point, and the whole path in /proc/self/cgroup.
TEST_F(a_cgroup, of_a_container_lies_at_the_mount_point) {
  mounts("33 25 0:29 /docker/0123abcd /sys/fs/cgroup/cpu ro,nosuid master:11 - cgroup cgroup rw,cpu,cpuacct\n");
  own_cgroups("4:cpu,cpuacct:/docker/0123abcd\n");
  v1_quota("/sys/fs/cgroup/cpu", "120000", "100000");
  EXPECT_EQ(quota(), 1.2);
}

TEST_F(a_cgroup, below_a_containers_lies_below_the_mount_point) {
  mounts("33 25 0:29 /docker/0123abcd /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw\n");
  own_cgroups("0::/docker/0123abcd/inner/job\n");
  write("/sys/fs/cgroup/cpu.max", "800000 100000\n");
  write("/sys/fs/cgroup/inner/cpu.max", "200000 100000\n");
  write("/sys/fs/cgroup/inner/job/cpu.max", "300000 100000\n");
  EXPECT_EQ(quota(), 2.0);
}

TEST_F(a_cgroup, that_the_mount_does_not_show_leaves_what_the_mount_shows) {
  mounts("33 25 0:29 /docker/0123abcd /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw\n");
  own_cgroups("0::/docker/another\n");
  write("/sys/fs/cgroup/cpu.max", "300000 100000\n");
  EXPECT_EQ(quota(), 3.0);
  own_cgroups("0::/../../outside\n");
  EXPECT_EQ(quota(), 3.0);
}

TEST_F(a_cgroup, mounted_where_a_blank_is_in_the_name_is_found) {
  mounts("33 25 0:29 / /sys/fs/my\\040cgroup rw - cgroup2 cgroup rw\n");
  own_cgroups("0::/job\n");
  write("/sys/fs/my cgroup/job/cpu.max", "300000 100000\n");
  EXPECT_EQ(quota(), 3.0);
}

TEST_F(a_cgroup, with_a_colon_in_its_name_is_found) {
  mounts(v2_mount);
  own_cgroups("0::/system.slice/a:b\n");
  write("/sys/fs/cgroup/system.slice/a:b/cpu.max", "300000 100000\n");
  EXPECT_EQ(quota(), 3.0);
}

TEST_F(a_cgroup, that_nothing_is_known_of_has_no_quota) {
  EXPECT_EQ(quota(), std::nullopt);  // no files at all
  mounts(v2_mount);
  EXPECT_EQ(quota(), std::nullopt);
  own_cgroups("0::/job\n");
  EXPECT_EQ(quota(), std::nullopt);
  mounts("");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST_F(a_cgroup, whose_files_are_garbled_has_no_quota) {
  mounts(v2_mount);
  own_cgroups("0::/job\n");
  for (const char* text : {"", "\n", "100000", "abc def\n", "0 100000\n", "100000 0\n", "-5 100000\n", "100000 x\n", "max\n"}) {
    write("/sys/fs/cgroup/job/cpu.max", text);
    EXPECT_EQ(quota(), std::nullopt) << '"' << text << '"';
  }
  write("/sys/fs/cgroup/job/cpu.max", "100000 100000\n");
  EXPECT_EQ(quota(), 1.0);
  for (const char* text : {"", "\n\n", "nonsense", "0:", ":", "::", "0::", ":::\n:::\n"}) {
    own_cgroups(text);
    EXPECT_NO_THROW(quota()) << '"' << text << '"';
  }
}

TEST_F(a_cgroup, whose_mounts_are_garbled_has_no_quota) {
  own_cgroups("0::/job\n");
  for (const char* text : {"nonsense\n", "1 2 3\n", "- - - - -\n", "33 25 0:29 / /sys/fs/cgroup rw\n",
                           "33 25 0:29 / /sys/fs/cgroup rw - \n", "33 25 0:29 / /sys/fs/cgroup rw - cgroup2\n",
                           "33 25 0:29 /a\\xyz /b\\ rw - cgroup2 c rw\n", "33 25 0:29 / /b\\999 rw - cgroup2 c rw\n"}) {
    mounts(text);
    EXPECT_NO_THROW(EXPECT_EQ(quota(), std::nullopt)) << '"' << text << '"';
  }
}

// What the quota does to the number of workers.
TEST(a_quota, is_rounded_up_and_never_gives_more_than_there_are_processors) {
  using heist::detail::usable;
  EXPECT_EQ(usable(8, std::nullopt), 8u);
  EXPECT_EQ(usable(8, 1.5), 2u);
  EXPECT_EQ(usable(8, 2.0), 2u);
  EXPECT_EQ(usable(8, 0.2), 1u);
  EXPECT_EQ(usable(8, 7.01), 8u);
  EXPECT_EQ(usable(8, 9.5), 8u);
  EXPECT_EQ(usable(8, 1e300), 8u);
  EXPECT_EQ(usable(0, std::nullopt), 1u);  // nobody knows the mask
  EXPECT_EQ(usable(1'000'000, std::nullopt), 4096u);
}

// From the files to the workers of a pool. On a machine with one processor all of it is one.
TEST_F(a_cgroup, decides_together_with_the_mask_how_many_workers_there_are) {
  const unsigned processors = heist::detail::affinity_count();
  EXPECT_EQ(workers(), std::min(processors, 4096u));  // no files at all
  v2_quota("max 100000");
  EXPECT_EQ(workers(), std::min(processors, 4096u));
  v2_quota("150000 100000");
  EXPECT_EQ(workers(), std::min(processors, 2u));
  v2_quota("100000 100000");
  EXPECT_EQ(workers(), 1u);
  v2_quota("20000 100000");
  EXPECT_EQ(workers(), 1u);
  v2_quota(std::to_string(100000 * (processors + 1)) + " 100000");
  EXPECT_EQ(workers(), std::min(processors, 4096u));
  mounts(v1_mounts);
  own_cgroups("4:cpu,cpuacct:/job\n");
  v1_quota("/sys/fs/cgroup/cpu,cpuacct/job", "5000", "100000");
  EXPECT_EQ(workers(), 1u);
}

TEST(the_affinity_mask, is_counted) {
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(heist::detail::affinity_count(), static_cast<unsigned>(CPU_COUNT(&all)));
  EXPECT_EQ(heist::detail::affinity_count_of_large_machine(), heist::detail::affinity_count());
}

// In a thread of its own: the mask is a thread's.
TEST(the_affinity_mask, of_one_processor_gives_one_worker) {
  std::thread([] {
    cpu_set_t all, one;
    ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
    int last = CPU_SETSIZE - 1;
    while (!CPU_ISSET(last, &all)) --last;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(heist::detail::affinity_count(), 1u);
    EXPECT_EQ(heist::detail::affinity_count_of_large_machine(), 1u);
    EXPECT_EQ(heist::available_parallelism(), 1u);
    EXPECT_EQ(heist::pool().workers(), 1u);
  }).join();
}

TEST(available_parallelism, is_that_of_this_machine) {
  EXPECT_EQ(heist::available_parallelism(), heist::detail::usable(heist::detail::affinity_count(), cgroup_quota()));
}

}  // namespace
