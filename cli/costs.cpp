#include <cli/costs.hpp>

#include <heist/join.hpp>
#include <heist/measure.hpp>
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

double quantile(std::vector<double> all, double part) {
  const auto at = all.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(all.size() - 1));
  std::nth_element(all.begin(), at, all.end());
  return *at;
}
double median(const std::vector<double>& all) { return quantile(all, 0.5); }
// What it takes if no other program has the core: others delay a good part of what takes microseconds.
double undisturbed(const std::vector<double>& all) { return quantile(all, 0.25); }

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
struct thefts {
  std::vector<double> latencies, resumptions;
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
std::optional<thefts> some_thefts(int rounds, std::chrono::microseconds pause) {
  int missed = 0;
  thefts all;
  for (int i = 0; i < rounds; ++i) {
    if (pause.count() > 0) std::this_thread::sleep_for(pause);
    const theft t = one_theft();
    if (t.latency >= too_long && ++missed == 3) return std::nullopt;
    all.latencies.push_back(t.latency);
    all.resumptions.push_back(t.resumption);
  }
  return all;
}

}  // namespace

measured_costs measure_costs() {
  measured_costs all;
  analysis::machine_costs& costs = all.costs;
  all.cores = available_parallelism();
  pool one({.workers = 1});
  one.run([&] {
    const double two_calls = least([] { nothing(), nothing(); });
    costs.fork = std::max(0., least([] { join(nothing, nothing); }) - two_calls);
    scope s;
    costs.spawn = std::max(0., least([&] { s.spawn(nothing); }) - two_calls / 2);
  });
  if (all.cores < 2) return all;
  pool two({.workers = 2});
  two.run([&] {
    const auto awake = some_thefts(200, {});
    const auto asleep = awake ? some_thefts(25, std::chrono::milliseconds(2)) : std::nullopt;
    if (!asleep) return;
    costs.steal = undisturbed(awake->latencies);
    costs.resume = undisturbed(awake->resumptions);
    for (const double latency : asleep->latencies) costs.wakes.push_back(std::max(0., latency - costs.steal));
    costs.wake = median(costs.wakes);
    costs.claim = measure([] {}).burden;  // the steal of a job that the victim shares when it is asked
    all.steals_guessed = false;
  });
  return all;
}

analysis::slices measure_slices(unsigned threads) {
  constexpr std::size_t rounds = 80;
  constexpr int calls = 1'000'000;  // one to two milliseconds
  std::vector<std::vector<double>> took(threads);
  const auto repeat = [](std::vector<double>& mine) {
    for (std::size_t round = 0; round < rounds; ++round) {
      const auto start = clock::now();
      for (int i = 0; i < calls; ++i) nothing();
      mine.push_back(ns_since(start));
    }
  };
  {
    std::vector<std::jthread> all;
    for (auto& mine : took) all.emplace_back([&] { repeat(mine); });
  }
  std::vector<double> slowest(rounds);
  for (std::size_t round = 0; round < rounds; ++round)
    for (const auto& mine : took) slowest[round] = std::max(slowest[round], mine[round]);
  return analysis::slices(std::move(slowest));
}

}  // namespace heist::cli
