// The profile of a job: work and span are those of the program, wherever its branches ran.

#include "support.hpp"

#include <heist/cluster/measured.hpp>

namespace {

using heist_test::job;
using heist_test::server;

// The number after "name": in the JSON.
double figure(const std::string& json, const std::string& name) {
  const auto at = json.find("\"" + name + "\": ");
  return at == std::string::npos ? -1 : std::atof(json.c_str() + at + name.size() + 4);
}

// Driver and helpers, of which only the driver is told to profile.
class profiled_job {
 public:
  profiled_job(const std::vector<std::string>& root, std::size_t helpers_wanted)
      : of_(at_, helpers_wanted, root, {{"HEIST_WORKERS", "2"}},
            {{"HEIST_PROFILE", "json:" + file_}, {"HEIST_PROFILE_UNIT", "strand"}}) {}
  ~profiled_job() { std::filesystem::remove(file_); }

  job& processes() { return of_; }
  std::string profile() {
    EXPECT_EQ(of_.driver->wait(), 0) << of_.driver->said();
    std::ifstream in(file_);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
  }

 private:
  const std::string file_ = testing::TempDir() + "heist_cluster_profile_" + std::to_string(::getpid());
  server at_;
  job of_;
};

struct known {
  std::vector<std::string> root;
  std::string value;
  double work, span, forks, leaves;
};

// A fork makes four strands of one, and a leaf costs 100 more than its strand.
known balanced(const std::string& name, int levels) {
  const double leaves = 1 << levels;
  return {{name, std::to_string(levels)}, std::to_string(1 << levels), 3 * leaves - 2 + 100 * leaves, 2. * levels + 1 + 100, leaves - 1, leaves};
}

TEST(cluster_profile, work_and_span_are_those_of_the_program) {
  // A child: 22 strands and 8 leaves; its path is 7 + 100. 100 strands before the spawns, one before the sync, one after it.
  const known spawns{{"dag_of_spawns", "100"}, "100", 100 * (22 + 800) + 102, 100 + 107 + 1, 100 * 8, 800};
  for (const known& k : {balanced("dag", 10), balanced("dag_of_sums", 10), spawns})
    for (const std::size_t helpers : {1u, 3u}) {
      profiled_job j(k.root, helpers);
      j.processes().must_give(k.value);
      const std::string json = j.profile();
      EXPECT_EQ(figure(json, "work"), k.work) << json;
      EXPECT_EQ(figure(json, "span"), k.span) << json;
      EXPECT_EQ(figure(json, "forks"), k.forks) << json;
      EXPECT_EQ(figure(json, "times"), k.leaves) << json;
      // What was done elsewhere is a part of it, and the machines have said so to each other.
      EXPECT_GT(figure(json.substr(json.find("elsewhere")), "strands"), 100) << json;
      EXPECT_LT(figure(json.substr(json.find("elsewhere")), "strands"), k.work) << json;
      EXPECT_EQ(figure(json, "machines"), static_cast<double>(helpers) + 1) << json;
      EXPECT_GT(figure(json, "loans"), 0) << json;
      EXPECT_GT(figure(json, "bytes"), 100 * figure(json, "loans")) << json;
    }
}

TEST(cluster_profile, what_a_dead_machine_did_counts_once) {
  const known k = balanced("dag", 12);
  profiled_job j(k.root, 3);
  j.processes().await_root();
  heist_test::nap(150);
  j.processes().helpers[0]->signal(SIGKILL);
  const std::string json = j.profile();
  EXPECT_EQ(figure(json, "work"), k.work) << json;
  EXPECT_EQ(figure(json, "span"), k.span) << json;
  EXPECT_EQ(figure(json, "forks"), k.forks) << json;
}

TEST(cluster_profile, figures_come_back_and_others_are_refused) {
  namespace hcd = heist::cluster::detail;
  heist::detail::task_figures f;
  f.work = {1, 2};
  f.span = {{3, 4}, {5, 6}};
  f.longest = 7, f.forks = 8, f.deepest = 9;
  f.regions.push_back({"a region", 10, 11, {12, 13}, {14, 15}, {{16, 17}, {18, 19}}});
  const hcd::bytes all = hcd::pack_figures(f);
  const auto back = hcd::unpack_figures(all);
  ASSERT_TRUE(back);
  EXPECT_EQ(hcd::pack_figures(*back), all);
  EXPECT_EQ(back->regions.at(0).span.burdened.strands, 19u);
  f.regions.clear();
  const std::size_t without_regions = hcd::pack_figures(f).size();
  for (std::size_t n = 0; n < all.size(); ++n)
    EXPECT_EQ(hcd::unpack_figures(std::span(all).first(n)).has_value(), n == without_regions) << n;
}

}  // namespace
