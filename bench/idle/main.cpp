// What does a pool with nothing to do cost, and how soon is it at work again?

#include <bench/common/bench.hpp>

#include <heist/heist.hpp>

#include <atomic>
#include <thread>

namespace {

using bench::series;
using bench::text;
using namespace std::chrono_literals;

void tree(int depth) {
  if (depth > 0) heist::join([=] { tree(depth - 1); }, [=] { tree(depth - 1); });
}

struct rest {
  double percent;  // of one core
  std::size_t wakes;
};

rest idle_cpu(heist::pool& p) {
  p.run([] { tree(20); });
  std::this_thread::sleep_for(100ms);
  const std::size_t wakes = p.stats().wakes;
  const double cpu = bench::process_ns(), wall = bench::now_ns();
  std::this_thread::sleep_for(5s);
  const double percent = (bench::process_ns() - cpu) / (bench::now_ns() - wall) * 100;
  return {percent, p.stats().wakes - wakes};
}

// From the fork to the first step of the stolen branch, in µs. The caller's branch waits for it.
double first_steal_us(heist::pool& p) {
  std::this_thread::sleep_for(1s);
  return p.run([] {
    std::atomic<bool> started{false};
    const double fork = bench::now_ns();
    const auto [_, start] = heist::join(
        [&] {
          while (!started.load(std::memory_order_relaxed)) {
          }
        },
        [&] {
          const double t = bench::now_ns();
          started.store(true, std::memory_order_relaxed);
          return t;
        });
    return (start - fork) / 1e3;
  });
}

// The same without a pool: a thread that sleeps is woken, while the one that woke it spins. What the kernel takes.
double wake_thread_us() {
  std::atomic<int> call{0};
  std::atomic<bool> started{false};
  double start = 0;
  std::thread sleeper([&] {
    call.wait(0);
    start = bench::now_ns();
    started.store(true, std::memory_order_release);
  });
  std::this_thread::sleep_for(1s);
  const double wake = bench::now_ns();
  call.store(1);
  call.notify_one();
  while (!started.load(std::memory_order_acquire)) {
  }
  sleeper.join();
  return (start - wake) / 1e3;
}

double empty_run_ns(heist::pool& p) {
  constexpr int n = 20'000;
  return bench::ns_of([&] {
           for (int i = 0; i < n; ++i) p.run([] {});
         }) /
         n;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv, 15);
  bench::introduce("idle", o);
  heist::pool one({.workers = 1}), two({.workers = 2}), eight({.workers = 8});

  const rest r8 = idle_cpu(eight);
  std::printf("8 idle workers, from 100 ms after their last job, for 5 s: %.4f %% of a core, %zu wake-ups\n",
              r8.percent, r8.wakes);
  std::printf("target: under 0.1 %%: %s\n\n", bench::verdict(r8.percent, 0.1).c_str());

  bench::contest latency;
  const auto in_two = latency.add([&] { return first_steal_us(two); });
  const auto in_eight = latency.add([&] { return first_steal_us(eight); });
  const auto in_none = latency.add([&] { return wake_thread_us(); });
  latency.play(o.rounds);
  bench::table l({"after 1 s idle, until a second worker starts a branch, µs", "min", "median", "max"});
  for (const auto& [name, which] : {std::pair{"pool of 2", in_two}, std::pair{"pool of 8", in_eight},
                                    std::pair{"no pool: a thread is woken", in_none}})
    l.add({name, text("%.1f", latency[which].min()), text("%.1f", latency[which].median()),
           text("%.1f", latency[which].max())});
  l.print();
  std::printf("target: at most 100 µs (median, on an idle machine): %s\n\n",
              bench::verdict(std::max(latency[in_two].median(), latency[in_eight].median()), 100).c_str());

  bench::contest runs;
  std::vector<std::pair<const char*, std::size_t>> names;
  for (const auto& [name, p] :
       {std::pair{"pool of 1", &one}, std::pair{"pool of 2", &two}, std::pair{"pool of 8", &eight}})
    names.emplace_back(name, runs.add([p] { return empty_run_ns(*p); }));
  runs.play(o.rounds);
  bench::table r({"run of an empty function from outside, warm, ns", "min", "median"});
  for (const auto& [name, which] : names)
    r.add({name, text("%.0f", runs[which].min()), text("%.0f", runs[which].median())});
  r.print();
}
