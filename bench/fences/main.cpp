// What should an owner share with thieves, and when: options::fences, on a program that forks much and is robbed
// little, and on one that is robbed much. And what does a heavy fence cost?

#include <bench/common/bench.hpp>

#include <heist/fence/fence.hpp>
#include <heist/heist.hpp>

#include <sched.h>

#include <atomic>
#include <memory>
#include <thread>

namespace {

using bench::series;
using bench::text;

BENCH_OPAQUE long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

// About 1 µs.
BENCH_OPAQUE long leaf(long x) {
  for (int i = 0; i < 3'200; ++i) bench::opaque(x);
  return x;
}

BENCH_OPAQUE long region(long first, long last) {
  if (last - first == 1) return leaf(first);
  const long middle = (first + last) / 2;
  const auto [a, b] = heist::join([=] { return region(first, middle); }, [=] { return region(middle, last); });
  return a + b;
}

// Short parallel regions one after the other: each begins with a steal, or goes without help.
long regions(long n, long leaves) {
  long sum = 0;
  for (long i = 0; i < n; ++i) sum += region(0, leaves);
  return sum;
}

struct program {
  const char* name;
  std::function<long()> run;
  long expected;
};

struct kind {
  const char* name;
  heist::fences fences;
};

void compare(const bench::options& o) {
  const program programs[] = {
      {"fib(32)", [] { return fib(32); }, 2'178'309},
      {"2,000 regions of 16 leaves", [] { return regions(2'000, 16); }, 2'000L * 120},
      {"250 regions of 128 leaves", [] { return regions(250, 128); }, 250L * 8128},
  };
  constexpr kind kinds[] = {{"asymmetric", heist::fences::asymmetric},
                            {"symmetric", heist::fences::symmetric},
                            {"automatic", heist::fences::automatic}};
  for (const program& p : programs) {
    struct entry {
      const kind* which;
      std::unique_ptr<heist::pool> pool;
      std::size_t number = 0;
      series steals{};
    };
    std::vector<entry> entries;
    for (const kind& k : kinds)
      for (const unsigned workers : {1u, 2u})
        entries.push_back({&k, std::make_unique<heist::pool>(heist::options{.workers = workers, .fences = k.fences})});
    bench::contest c;
    for (entry& e : entries)
      e.number = c.add([&] {
        const std::size_t before = e.pool->stats().steals;
        long found = 0;
        const double ns = bench::ns_of([&] { found = e.pool->run([&] { return p.run(); }); });
        bench::expect(found == p.expected, p.name);
        e.steals.add(static_cast<double>(e.pool->stats().steals - before));
        return ns / 1e6;
      });
    c.play(o.rounds);
    bench::table t({p.name, "workers", "ms: min", "median", "× best of its kind", "steals: median"});
    for (const entry& e : entries) {
      double best = c[e.number].min();
      for (const entry& other : entries)
        if (other.pool->workers() == e.pool->workers()) best = std::min(best, c[other.number].min());
      t.add({e.which->name, text("%u", e.pool->workers()), text("%.2f", c[e.number].min()),
             text("%.2f", c[e.number].median()), text("%.2f", c[e.number].min() / best),
             text("%.0f", e.steals.median())});
    }
    t.print();
  }
}

// The median of a thousand calls while `others` further threads spin.
double fence_ns(int others, bool (*fence)()) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < others; ++i)
    threads.emplace_back([&] {
      while (!stop.load(std::memory_order_relaxed)) {
      }
    });
  // Busy meanwhile, so that the kernel gives each thread a core of its own as far as there are any.
  for (const double start = bench::now_ns(); bench::now_ns() - start < 50e6;) {
  }
  constexpr int n = 1'000;
  series each;
  for (int i = 0; i < n; ++i) each.add(bench::ns_of([&] { bench::expect(fence(), "heavy_fence"); }));
  stop.store(true, std::memory_order_relaxed);
  for (std::thread& t : threads) t.join();
  return each.median();
}

// The calling thread on the n-th of the cores it may use.
void run_on(int n, const cpu_set_t& allowed) {
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &allowed) && n-- == 0) CPU_SET(i, &one);
  ::sched_setaffinity(0, sizeof one, &one);
}

// What a heavy fence takes from another running thread: the longest time around a fence in which that got nowhere.
// Fences at which it was not running do not count.
double interrupt_ns() {
  std::atomic<bool> stop{false};
  std::atomic<double> last{0}, longest{0};
  cpu_set_t allowed;
  ::sched_getaffinity(0, sizeof allowed, &allowed);
  run_on(0, allowed);
  std::thread running([&] {
    run_on(1, allowed);
    while (!stop.load(std::memory_order_relaxed)) {
      const double now = bench::now_ns(), before = last.load(std::memory_order_relaxed);
      if (now - before > longest.load(std::memory_order_relaxed))
        longest.store(now - before, std::memory_order_relaxed);
      last.store(now, std::memory_order_relaxed);
    }
  });
  auto wait = [](double ns) {
    for (const double start = bench::now_ns(); bench::now_ns() - start < ns;) {
    }
  };
  wait(50e6);
  series each;
  for (int i = 0; i < 5'000; ++i) {
    wait(20e3);
    longest.store(0, std::memory_order_relaxed);
    const bool runs = bench::now_ns() - last.load(std::memory_order_relaxed) < 500;
    bench::expect(heist::detail::heavy_fence(), "heavy_fence");
    wait(2e3);
    if (runs) each.add(longest.load(std::memory_order_relaxed));
  }
  stop.store(true, std::memory_order_relaxed);
  running.join();
  ::sched_setaffinity(0, sizeof allowed, &allowed);
  bench::expect(each.size() > 0, "a second core");
  return each.median();
}

void price(const bench::options& o) {
  bench::expect(heist::detail::enable_heavy_fence(), "this kernel has no membarrier");
  const int running[] = {1, 2, 8};
  bench::contest c;
  for (const int n : running) c.add([=] { return fence_ns(n - 1, [] { return heist::detail::heavy_fence(); }); });
  const auto none = c.add([] { return fence_ns(0, [] { return true; }); });
  const auto full = c.add([] {
    constexpr int n = 1'000'000;
    std::atomic<int> x{0};
    return bench::thread_ns_of([&] {
             for (int i = 0; i < n; ++i) {
               x.store(i, std::memory_order_relaxed);
               heist::detail::full_fence();
             }
           }) /
           n;
  });
  const auto interrupt = c.add(interrupt_ns);
  c.play(o.rounds);
  bench::table t({"one fence, ns", "min", "median"});
  for (std::size_t i = 0; i < std::size(running); ++i)
    t.add({text("heavy, %d running thread%s", running[i], running[i] > 1 ? "s" : ""),
           text("%.0f", c[i].min() - c[none].min()), text("%.0f", c[i].median() - c[none].median())});
  t.add({"heavy, for the other of 2 running threads", text("%.0f", c[interrupt].min()),
         text("%.0f", c[interrupt].median())});
  t.add({"full, after a store", text("%.1f", c[full].min()), text("%.1f", c[full].median())});
  t.print();
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  bench::introduce("fences", o);
  compare(o);
  price(o);
}
