// What does a push pay to know that nobody sleeps, and what does it take to wake a sleeper?

#include <heist/sleep/idle.hpp>

#include <benchmark/benchmark.h>

#include <atomic>
#include <thread>

namespace {

using heist::detail::idle;
using heist::detail::parking;

void hint_with_nobody_asleep(benchmark::State& state) {
  idle books;
  for (auto _ : state) benchmark::DoNotOptimize(books.rouse());
}

// There and back, by two sleepers: twice a post, a futex and a thread that comes to run.
void wake_a_sleeper_and_be_woken(benchmark::State& state) {
  parking here, there;
  std::atomic<bool> stop{false};
  std::jthread other([&] {
    for (;;) {
      there.wait();
      if (stop.load()) return;
      here.post();
    }
  });
  for (auto _ : state) {
    there.post();
    here.wait();
  }
  stop = true;
  there.post();
}

}  // namespace

BENCHMARK(hint_with_nobody_asleep);
BENCHMARK(wake_a_sleeper_and_be_woken)->UseRealTime();
