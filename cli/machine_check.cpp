#include <cli/machine_check.hpp>

#include <heist/base/environment.hpp>
#include <heist/fence/fence.hpp>
#include <heist/pool.hpp>
#include <heist/topology/parallelism.hpp>

#include <fmt/format.h>

#include <hwloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <stdexcept>

namespace heist::cli {
namespace {

using level = finding::level;

std::string first_line(const std::string& path) {
  std::string line;
  std::getline(std::ifstream(path) >> std::ws, line);
  return line;
}

std::optional<double> number_in(const std::string& path) {
  double n = 0;
  return std::ifstream(path) >> n ? std::optional(n) : std::nullopt;
}

std::string plural(long n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

// Cores, processors and memory nodes, as hwloc sees the whole machine.
struct shape {
  int cores = 0, processors = 0, nodes = 0;

  shape() {
    hwloc_topology_t topology = nullptr;
    if (hwloc_topology_init(&topology) != 0) return;
    hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (hwloc_topology_load(topology) == 0) {
      cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
      processors = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
      nodes = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
    }
    hwloc_topology_destroy(topology);
  }
};

finding cores(const shape& s) {
  const std::string value = fmt::format("{}, {}", plural(s.cores, "core"), plural(s.processors, "hardware thread"));
  if (s.processors > s.cores)
    return {"cores", value, level::note, "Two hardware threads share a core: the second adds far less than the first.",
            "for stable measurements use one worker per core: HEIST_WORKERS=" + std::to_string(s.cores)};
  return {"cores", value, level::fine, "Each worker can have a core of its own.", ""};
}

finding affinity(const shape& s) {
  const auto allowed = static_cast<int>(detail::affinity_count());
  const std::string value = fmt::format("{} of {}", allowed, plural(s.processors, "hardware thread"));
  if (allowed < s.processors)
    return {"affinity", value, level::note,
            "This process may use only a part of the machine; the default pool has no more workers than that.",
            "to change that: taskset -p, or the cpuset of the container"};
  return {"affinity", value, level::fine, "The process may use the whole machine.", ""};
}

finding quota() {
  const auto q = detail::cgroup_quota();
  if (!q) return {"cgroup quota", "none", level::fine, "No cgroup limits the CPU time.", ""};
  const double allowed = detail::affinity_count();
  const std::string value = fmt::format("{:g} processors", *q);
  if (*q >= allowed) return {"cgroup quota", value, level::fine, "It does not limit the process further.", ""};
  return {"cgroup quota", value, *q < 1 ? level::problem : level::note,
          fmt::format("The process is paused when it has used this much, so the default pool has {}.",
                      plural(available_parallelism(), "worker")),
          "raise the container's limit (docker run --cpus, resources.limits.cpu), or expect pauses of up to 0.1 s"};
}

finding workers() {
  const unsigned n = available_parallelism();
  std::optional<std::uint64_t> wanted;
  try {
    wanted = detail::number_from_environment("HEIST_WORKERS", 1, 4096);
  } catch (const std::invalid_argument&) {
    return {"workers", fmt::format("{} (HEIST_WORKERS)", std::getenv("HEIST_WORKERS")), level::problem,
            "The default pool will throw std::invalid_argument.",
            "unset HEIST_WORKERS, or set it to a number from 1 to 4096"};
  }
  if (!wanted)
    return {"workers", std::to_string(n), level::fine, "The size of the default pool: the smallest of the three above.",
            ""};
  const std::string value = fmt::format("{} (HEIST_WORKERS)", *wanted);
  if (*wanted > n)
    return {"workers", value, level::note, fmt::format("Only {} can run at once: the others take turns.", n),
            "fine for tests, not for measurements"};
  return {"workers", value, level::fine, "The size of the default pool.", ""};
}

finding memory_nodes(const shape& s) {
  if (s.nodes > 1)
    return {"NUMA", plural(s.nodes, "memory node"), level::note,
            "heist steals across nodes and does not move memory: remote memory is slower.",
            "for a program that fits on one node: numactl --cpunodebind=0 --membind=0 program"};
  return {"NUMA", "1 memory node", level::fine, "All memory is equally close.", ""};
}

finding membarrier() {
  if (detail::enable_heavy_fence())
    return {"membarrier", "works", level::fine, "Forks pay no fence: a thief asks first.", ""};
  return {"membarrier", "refused", level::problem, "Each fork pays an ordinary fence and a few compare-and-swaps.",
          "allow the system call membarrier in the sandbox (seccomp), or use Linux 4.14 or later"};
}

finding stack_size() {
  rlimit limit{};
  ::getrlimit(RLIMIT_STACK, &limit);
  if (limit.rlim_cur == RLIM_INFINITY)
    return {"stack limit", "unlimited", level::fine, "Each strand gets a stack of 8 MiB.",
            "for deeper recursion: options::stack_size"};
  const double mib = static_cast<double>(limit.rlim_cur) / (1 << 20);
  const std::string value = fmt::format("{:g} MiB", mib);
  if (mib < 1)
    return {"stack limit", value, level::problem,
            "Each strand gets a stack of that size: a deep recursion will overflow it.",
            "ulimit -s 8192, or options::stack_size"};
  return {"stack limit", value, level::fine, "The size of each strand's stack, committed as it is touched.",
          "for deeper recursion: ulimit -s, or options::stack_size"};
}

// Since Linux 6.13. Then the stacks of a slab are one mapping: stack/slab.cpp.
bool has_guard_regions() {
  constexpr int guard_install = 102;  // MADV_GUARD_INSTALL
  const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const page = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return false;
  const bool has = ::madvise(page, size, guard_install) == 0;
  ::munmap(page, size);
  return has;
}

finding mappings() {
  const auto most = number_in("/proc/sys/vm/max_map_count");
  if (!most) return {"mappings", "unknown", level::note, "Each stack takes two of vm.max_map_count.", ""};
  const std::string value = fmt::format("{:.0f}", *most);
  if (has_guard_regions()) return {"mappings", value, level::fine, "Stacks need few: the kernel has guard regions.", ""};
  if (*most < 10'000)
    return {"mappings", value, level::problem,
            fmt::format("There is room for {:.0f} stacks, with two mappings each.", *most / 2),
            "sysctl vm.max_map_count=65530"};
  return {"mappings", value, level::fine,
          fmt::format("There is room for {:.0f} stacks, with two mappings each.", *most / 2), ""};
}

finding overcommit() {
  const bool strict = number_in("/proc/sys/vm/overcommit_memory") == 2;
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  if (limit.rlim_cur != RLIM_INFINITY)
    return {"address space", fmt::format("{} MiB", limit.rlim_cur >> 20), level::note,
            "Stacks count at their full size, touched or not: few may fit.",
            "ulimit -v unlimited, or a smaller options::stack_size"};
  if (strict)
    return {"address space", "no overcommit", level::note, "Stacks count at their full size, touched or not.",
            "sysctl vm.overcommit_memory=0, or a smaller options::stack_size"};
  return {"address space", "unlimited", level::fine, "A stack uses only the memory that it touches.", ""};
}

finding host() {
  std::string flags;
  std::ifstream in("/proc/cpuinfo");
  while (std::getline(in, flags) && !flags.starts_with("flags")) {
  }
  const std::string product = first_line("/sys/class/dmi/id/product_name");
  if (flags.find(" hypervisor") != std::string::npos)
    return {"machine", "virtual" + (product.empty() ? "" : " (" + product + ")"), level::note,
            "Cores may be taken away at any time, and waking a worker or a heavy fence costs more.",
            "compare interleaved runs, and take the best of several"};
  return {"machine", product.empty() ? "physical" : product, level::fine, "No hypervisor was found.", ""};
}

finding huge_pages() {
  const std::string setting = first_line("/sys/kernel/mm/transparent_hugepage/enabled");
  return {"huge pages", setting.empty() ? "unknown" : setting, level::fine,
          "Stacks opt out, to stay small; your own data follows the setting.", ""};
}

finding clock_source() {
  const std::string source = first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  if (source.empty() || source == "tsc" || source == "kvm-clock" || source == "arch_sys_counter")
    return {"clock", source.empty() ? "unknown" : source, level::fine, "Reading the time costs nanoseconds.", ""};
  return {"clock", source, level::note, "Reading the time is a system call: idle workers and traces cost more.",
          "boot with clocksource=tsc, if the machine's counter is reliable"};
}

finding load() {
  const double now = number_in("/proc/loadavg").value_or(0);
  const std::string value = fmt::format("{:.2f}", now);
  if (now > 0.5 * available_parallelism())
    return {"load", value, level::note, "Other programs use the machine, and measurements taken now show it.",
            "wait, or run fewer workers"};
  return {"load", value, level::fine, "The machine is quiet.", ""};
}

// heist::io asks the same of the kernel when it starts.
finding io_ring() {
  if (const auto off = number_in("/proc/sys/kernel/io_uring_disabled"); off && *off > 0)
    return {"io_uring", *off > 1 ? "disabled" : "for some groups only", level::note,
            "heist::io reads and writes by threads that block instead: correct, and slower.",
            "sysctl kernel.io_uring_disabled=0"};
  std::array<unsigned char, 120> parameters{};  // of io_uring_setup(2), all zero
  const long ring = ::syscall(SYS_io_uring_setup, 1, parameters.data());
  if (ring < 0)
    return {"io_uring", "refused", level::note, "heist::io reads and writes by threads that block instead: correct, and slower.",
            "allow the system call io_uring_setup in the sandbox (seccomp)"};
  ::close(static_cast<int>(ring));
  return {"io_uring", "works", level::fine, "heist::io waits for files and sockets without blocking a thread.", ""};
}

finding memory_limit() {
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    const auto bytes = number_in(path);
    if (!bytes || *bytes > 1e15) continue;
    return {"memory limit", fmt::format("{:.0f} MiB", *bytes / (1 << 20)), level::note,
            "The cgroup's: past it the kernel ends a process. Touched stack pages count.",
            "heist profile shows the stacks' peak; options::stack_size does not change it"};
  }
  return {"memory limit", "none", level::fine, "No cgroup limits the memory.", ""};
}

finding frequency() {
  const std::string governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (governor.empty()) return {"frequency", "not ours to see", level::fine, "The machine, or its host, sets the clock of the cores.", ""};
  if (governor == "powersave" || governor == "conservative")
    return {"frequency", governor, level::note, "Cores speed up late: short parallel runs are measured too slow.",
            "for measurements: cpupower frequency-set -g performance"};
  return {"frequency", governor, level::fine, "Cores run fast when there is work.", ""};
}

finding kernel() {
  utsname u{};
  ::uname(&u);
  return {"kernel", fmt::format("Linux {} {}", u.release, u.machine), level::fine,
          "Cheap forks need 4.14 or later.", ""};
}

finding compiler() {
#if defined(__clang__)
  const std::string name = "clang " __clang_version__;
#else
  const std::string name = "g++ " __VERSION__;
#endif
#if defined(HEIST_CHAOS)
  return {"compiler", name, level::problem, "This heist was built with HEIST_CHAOS: for tests, not for use.",
          "build heist without HEIST_CHAOS"};
#elif defined(HEIST_CHECKED)
  return {"compiler", name, level::note,
          "This heist checks scopes and mutexes at run time (HEIST_CHECKED): forks cost more.",
          "for measurements, build heist without HEIST_CHECKED"};
#else
  return {"compiler", name, level::fine, "The compiler that built this heist; g++ 12 and clang 19 are first class.", ""};
#endif
}

}  // namespace

std::vector<finding> check_machine() {
  const shape s;
  return {cores(s),     affinity(s),    quota(),    workers(),    memory_nodes(s),
          membarrier(), io_ring(),      stack_size(), mappings(), overcommit(),
          memory_limit(), host(),    huge_pages(), clock_source(), frequency(),
          load(),       kernel(),       compiler()};
}

}  // namespace heist::cli
