// What do an owner and a thief pay at a deque?

#include <bench/micro/deques.hpp>
#include <bench/micro/running.hpp>

#include <benchmark/benchmark.h>

namespace {

using namespace micro;

// A fork nobody steals, as the deque sees it; with another item below, and with none.
template <class Deque>
void push_and_pop(benchmark::State& state) {
  Deque d;
  item below, i;
  if (state.range(0) != 0) d.push(&below);
  for (auto _ : state) {
    d.push(&i);
    benchmark::DoNotOptimize(d.pop());
  }
}

// One successful steal; how many threads of the process run meanwhile, the thief included.
template <class Deque>
void steal(benchmark::State& state) {
  const running_threads others(static_cast<std::size_t>(state.range(0)) - 1);
  constexpr int batch = 1000;
  Deque d;
  item i;
  while (state.KeepRunningBatch(batch)) {
    state.PauseTiming();
    for (int k = 0; k < batch; ++k) d.push(&i);
    state.ResumeTiming();
    for (int k = 0; k < batch; ++k) benchmark::DoNotOptimize(d.steal());
  }
}

// One look at a victim that has nothing.
template <class Deque>
void failed_look(benchmark::State& state) {
  Deque d;
  for (auto _ : state) benchmark::DoNotOptimize(d.steal());
}

}  // namespace

BENCHMARK(push_and_pop<mutex_deque>)->ArgName("below")->Arg(0)->Arg(1);
BENCHMARK(push_and_pop<seq_cst_deque>)->ArgName("below")->Arg(0)->Arg(1);
BENCHMARK(push_and_pop<asymmetric_deque>)->ArgName("below")->Arg(0)->Arg(1);
BENCHMARK(steal<mutex_deque>)->ArgName("running")->Arg(1)->Arg(2);
BENCHMARK(steal<seq_cst_deque>)->ArgName("running")->Arg(1)->Arg(2);
BENCHMARK(steal<asymmetric_deque>)->ArgName("running")->Arg(1)->Arg(2);
BENCHMARK(failed_look<mutex_deque>);
BENCHMARK(failed_look<seq_cst_deque>);
BENCHMARK(failed_look<asymmetric_deque>);
