#include <cli/machine_speed.hpp>

#include <cli/costs.hpp>

#include <heist/fence/fence.hpp>
#include <heist/pool.hpp>

#include <fmt/format.h>

#include <fstream>
#include <string>

namespace heist::cli {
namespace {

using level = finding::level;

// Past these, in nanoseconds, something makes it slower than on most machines.
constexpr double slow_fork = 15, slow_steal = 20'000, slow_wake = 100'000;

// On a busy machine a difference of two times may come out as nothing.
std::string duration(double ns) {
  if (ns < 0.05) return "too little to be seen";
  return ns < 1e3 ? fmt::format("{:.1f} ns", ns) : ns < 1e6 ? fmt::format("{:.1f} µs", ns / 1e3) : fmt::format("{:.1f} ms", ns / 1e6);
}

bool busy() {
  double now = 0;
  std::ifstream("/proc/loadavg") >> now;
  return now > 0.5 * available_parallelism();
}

finding fork_cost(double ns) {
  const char* const meaning = "What a join costs that nobody steals from: branches of a hundred times that cost 1 % more than calls.";
  if (ns < slow_fork) return {"a fork", duration(ns), level::fine, meaning, ""};
#if defined(HEIST_CHECKED)
  const char* const why = "build heist without HEIST_CHECKED: its checks cost that";
#else
  const char* const why = detail::enable_heavy_fence() ? "measure again on a quiet machine: others took the core meanwhile"
                                                       : "allow membarrier: without it each fork has a fence";
#endif
  return {"a fork", duration(ns), level::note, meaning, why};
}

finding steal_cost(double ns) {
  const char* const meaning = "From a fork until a worker that searches has stolen the branch: less work than that is not worth a steal.";
  if (ns < slow_steal) return {"a steal", duration(ns), level::fine, meaning, ""};
  return {"a steal", duration(ns), level::note, meaning,
          busy() ? "wait until the machine is quiet: the thief waits for a processor" : "look for a quota, or for other guests of a virtual machine"};
}

finding wake_cost(double ns) {
  const char* const meaning = "What a steal costs more if the thief sleeps: short parallel regions with pauses between them pay it each time.";
  if (ns < slow_wake) return {"a wake", duration(ns), level::fine, meaning, ""};
  return {"a wake", duration(ns), level::note, meaning,
          busy() ? "wait until the machine is quiet: the woken thread waits for a processor"
                 : "keep workers awake between regions: options::search_time, HEIST_SEARCH_TIME; or forbid deep idle states"};
}

}  // namespace

std::vector<finding> check_speed() {
  const measured_costs m = measure_costs();
  std::vector<finding> all = {fork_cost(m.costs.fork)};
  if (m.steals_guessed) {
    for (const char* const what : {"a steal", "a wake"})
      all.push_back({what, "not measured", level::note, "There is no second processor, or others have it: nobody came to steal.",
                     "run heist doctor again when the machine is quiet"});
    return all;
  }
  all.push_back(steal_cost(m.costs.steal));
  all.push_back(wake_cost(m.costs.wake));
  return all;
}

}  // namespace heist::cli
