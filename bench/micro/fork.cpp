// What does a fork cost that nobody steals, and one that is stolen?

#include <bench/common/bench.hpp>

#include <heist/base/cpu.hpp>
#include <heist/heist.hpp>

#include <benchmark/benchmark.h>

#include <atomic>

namespace {

BENCH_OPAQUE void nothing() {}

// On one worker, where nobody moves the strand to another thread.
template <class F>
void alone(F f) {
  heist::pool one({.workers = 1});
  one.run(f);
}

// An unstolen join of two calls: its fork and its end, the deque otherwise empty.
void unstolen_join(benchmark::State& state) {
  alone([&] {
    for (auto _ : state) heist::join([] { nothing(); }, [] { nothing(); });
  });
}

// The fork alone: a full binary tree of joins, less the calls at its leaves, for each of its forks.
BENCH_OPAQUE void tree(int depth) {
  if (depth > 0) heist::join([=] { tree(depth - 1); }, [=] { tree(depth - 1); });
}
void fork_in_a_tree(benchmark::State& state) {
  constexpr int depth = 12;
  alone([&] {
    while (state.KeepRunningBatch((1 << depth) - 1)) tree(depth);
  });
}

void unstolen_spawn(benchmark::State& state) {
  alone([&] {
    heist::scope s;
    for (auto _ : state) s.spawn([] { nothing(); });
    s.sync();
  });
}

// A thief that searches takes the second branch: from the way into the pool to the end of the join. The first branch
// waits for it. A run for each, as the clock must be read on one thread.
void stolen_join(benchmark::State& state) {
  heist::pool two({.workers = 2});
  for (auto _ : state)
    two.run([] {
      std::atomic<bool> started{false};
      heist::join(
          [&] {
            while (!started.load(std::memory_order_relaxed)) heist::detail::relax();
          },
          [&] { started.store(true, std::memory_order_relaxed); });
    });
}

}  // namespace

BENCHMARK(unstolen_join);
BENCHMARK(fork_in_a_tree);
BENCHMARK(unstolen_spawn);
BENCHMARK(stolen_join)->UseRealTime();
