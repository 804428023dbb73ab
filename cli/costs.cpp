#include <cli/costs.hpp>

#include <heist/join.hpp>
#include <heist/pool.hpp>
#include <heist/scope.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

namespace heist::cli {
namespace {

using clock = std::chrono::steady_clock;

double ns_since(clock::time_point start) {
  return std::chrono::duration<double, std::nano>(clock::now() - start).count();
}

double median(std::vector<double> all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

[[gnu::noinline]] void nothing() { asm volatile(""); }

// Of one call, the least of some loops of many.
template <class F>
double least(F f) {
  constexpr int calls = 20'000;
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < 9; ++round) {
    const auto start = clock::now();
    for (int i = 0; i < calls; ++i) f();
    best = std::min(best, ns_since(start) / calls);
  }
  return best;
}

struct theft {
  double latency, resumption;  // ns
};
constexpr double too_long = 1e8;  // to wait for a thief, ns

// The second branch says when it began; the first waits for that, so that it is stolen, and then for the second.
theft one_theft() {
  constexpr double length = 20'000;
  std::atomic<bool> begun = false;
  double latency = too_long;
  clock::time_point ended;
  const auto start = clock::now();
  join(
      [&] {
        while (!begun && ns_since(start) < too_long) {
        }
      },
      [&] {
        latency = ns_since(start);
        begun = true;
        const auto from = clock::now();
        while (ns_since(from) < length) {
        }
        ended = clock::now();
      });
  return {latency, ns_since(ended)};
}

// Nothing if thieves do not come: two processors that the process may use can be one that others use, too.
std::optional<theft> median_theft(int rounds, std::chrono::microseconds pause) {
  int missed = 0;
  std::vector<double> latencies, resumptions;
  for (int i = 0; i < rounds; ++i) {
    if (pause.count() > 0) std::this_thread::sleep_for(pause);
    const theft t = one_theft();
    if (t.latency >= too_long && ++missed == 3) return std::nullopt;
    latencies.push_back(t.latency);
    resumptions.push_back(t.resumption);
  }
  return theft{median(std::move(latencies)), median(std::move(resumptions))};
}

}  // namespace

measured_costs measure_costs() {
  measured_costs all;
  analysis::machine_costs& costs = all.costs;
  pool one({.workers = 1});
  one.run([&] {
    const double two_calls = least([] { nothing(), nothing(); });
    costs.fork = std::max(0., least([] { join(nothing, nothing); }) - two_calls);
    scope s;
    costs.spawn = std::max(0., least([&] { s.spawn(nothing); }) - two_calls / 2);
  });
  if (available_parallelism() < 2) return all;
  pool two({.workers = 2});
  two.run([&] {
    const auto awake = median_theft(200, {});
    const auto asleep = awake ? median_theft(15, std::chrono::milliseconds(2)) : std::nullopt;
    if (!asleep) return;
    costs.steal = awake->latency;
    costs.resume = awake->resumption;
    costs.wake = std::max(0., asleep->latency - awake->latency);
    all.steals_guessed = false;
  });
  return all;
}

}  // namespace heist::cli
