// What does a heavy fence cost, while so many threads of the process run? And a full one?

#include <bench/micro/running.hpp>

#include <heist/fence/fence.hpp>

#include <benchmark/benchmark.h>

#include <atomic>

namespace {

void heavy_fence(benchmark::State& state) {
  const micro::running_threads others(static_cast<std::size_t>(state.range(0)) - 1);
  for (auto _ : state)
    if (!heist::detail::heavy_fence()) return state.SkipWithError("this kernel has no membarrier");
}

void full_fence(benchmark::State& state) {
  std::atomic<int> x{0};
  for (auto _ : state) {
    x.store(1, std::memory_order_relaxed);
    heist::detail::full_fence();
  }
}

}  // namespace

BENCHMARK(heavy_fence)->ArgName("running")->Arg(1)->Arg(2)->Arg(8)->Arg(64)->UseRealTime();
BENCHMARK(full_fence);
