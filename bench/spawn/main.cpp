// What does a spawn cost that nobody steals, what does a flat loop of tiny spawns lose to thieves, and what does a level cost of
// scopes that are nested deep?

#include <bench/common/bench.hpp>
#include <bench/common/memory.hpp>

#include <heist/heist.hpp>

namespace {

using bench::series;
using bench::text;

constexpr long tiny_spawns = 10'000'000;

BENCH_OPAQUE void tiny(long i) { bench::opaque(i); }

BENCH_OPAQUE void loop_of_calls(long n) {
  for (long i = 0; i < n; ++i) tiny(i);
}

BENCH_OPAQUE void loop_of_spawns(long n) {
  heist::scope s;
  for (long i = 0; i < n; ++i) s.spawn([i] { tiny(i); });
  s.sync();
}

// A spawn a node: some twenty children's stacks at once.
BENCH_OPAQUE long fib_of_calls(int n) {
  if (n < 2) return n;
  const long a = fib_of_calls(n - 1);
  long b = fib_of_calls(n - 2);
  bench::opaque(b);
  return a + b;
}

BENCH_OPAQUE long fib_of_spawns(int n) {
  if (n < 2) return n;
  long a = 0;
  heist::scope s;
  s.spawn([&a, n] { a = fib_of_spawns(n - 1); });
  const long b = fib_of_spawns(n - 2);
  s.sync();
  return a + b;
}

// Of the function alone, not of the way into the pool; on one worker, the caller's own time.
template <class F>
double inside_ns(heist::pool& one, F f) {
  return one.run([&] { return bench::thread_ns_of(f); });
}

void unstolen(const bench::options& o) {
  constexpr long n = 500'000;
  constexpr int shallow = 12, deep = 23;  // children's stacks alive at once: up to n − 1
  auto spawns_in = [](int of) { return of == shallow ? 232. : 46'367.; };  // fib(of + 1) − 1
  constexpr int repeats = 200;
  heist::pool one({.workers = 1});
  bench::contest c;
  const auto calls = c.add([&] { return inside_ns(one, [] { loop_of_calls(n); }) / n; });
  const auto spawns = c.add([&] { return inside_ns(one, [] { loop_of_spawns(n); }) / n; });
  struct nest {
    const char* name;
    int of;
    std::size_t calls, spawns;
  };
  auto add_nest = [&](const char* name, int of) {
    const int times = of == shallow ? repeats : 1;
    auto run = [&one, spawns_in, of, times](long (*fib)(int)) {
      return inside_ns(one,
                       [=] {
                         for (int i = 0; i < times; ++i) fib(of);
                       }) /
             (times * spawns_in(of));
    };
    return nest{name, of, c.add([=] { return run(fib_of_calls); }), c.add([=] { return run(fib_of_spawns); })};
  };
  const nest nests[] = {add_nest("nested, at most 11 deep: fib(12)", shallow),
                        add_nest("nested, at most 22 deep: fib(23)", deep)};
  c.play(o.rounds);

  bench::table t({"ns per spawn, one worker", "calls", "spawns", "spawn: min", "median"});
  auto add = [&](const char* name, const series& base, const series& s) {
    t.add({name, text("%.2f", base.min()), text("%.2f", s.min()), text("%.2f", s.min() - base.min()),
           text("%.2f", bench::difference(s, base).median())});
  };
  add("in a loop", c[calls], c[spawns]);
  for (const nest& x : nests) add(x.name, c[x.calls], c[x.spawns]);
  t.print();
  const double cost = c[spawns].min() - c[calls].min();
  std::printf("target: at most 18 ns in a loop: %.2f, %s\n\n", cost, bench::verdict(cost, 18).c_str());
}

void stolen(const bench::options& o) {
  heist::pool one({.workers = 1}), two({.workers = 2});
  series steals, memory;
  bench::contest c;
  const auto t1 = c.add([&] { return bench::ns_of([&] { one.run([] { loop_of_spawns(tiny_spawns); }); }) / 1e6; });
  const auto t2 = c.add([&] {
    const std::size_t before = two.stats().steals;
    const bench::rss_peak peak;
    const double ms = bench::ns_of([&] { two.run([] { loop_of_spawns(tiny_spawns); }); }) / 1e6;
    memory.add(peak.added_kib());
    steals.add(static_cast<double>(two.stats().steals - before));
    return ms;
  });
  c.play(o.rounds);

  const series r = bench::ratio(c[t2], c[t1]);
  bench::table t({"10,000,000 tiny spawns", "min", "median", "max"});
  t.add({"T_1, ms", text("%.1f", c[t1].min()), text("%.1f", c[t1].median()), text("%.1f", c[t1].max())});
  t.add({"T_2, ms", text("%.1f", c[t2].min()), text("%.1f", c[t2].median()), text("%.1f", c[t2].max())});
  t.add({"T_2 / T_1, round by round", text("%.2f", r.min()), text("%.2f", r.median()), text("%.2f", r.max())});
  t.add({"steals, 2 workers", text("%.0f", steals.min()), text("%.0f", steals.median()), text("%.0f", steals.max())});
  t.add({"added to peak RSS, KiB, 2 workers", text("%.0f", memory.min()), text("%.0f", memory.median()),
         text("%.0f", memory.max())});
  t.print();
  std::printf("target: T_2 at most 1.5 T_1: %.2f (median of the rounds' ratios), %s\n", r.median(),
              bench::verdict(r.median(), 1.5).c_str());
}

// Nested scopes: a stack a level, which the kernel must give and take back. Beside them calls whose frames have a page each.
constexpr int levels = 20'000;
double resident_kib, tables_kib;  // at the bottom

BENCH_OPAQUE void nest_calls(int n) {
  volatile char frame[4096];
  frame[0] = 1;
  if (n > 0) nest_calls(n - 1);
  frame[0] = frame[0];  // it is needed until here
}

BENCH_OPAQUE void nest_scopes(int n) {
  if (n == 0) {
    resident_kib = bench::status_kib("VmRSS");
    tables_kib = bench::status_kib("VmPTE");
    return;
  }
  heist::scope s;
  s.spawn([n] { nest_scopes(n - 1); });
}

void nested(const bench::options& o) {
  struct depth {
    const char* name;
    heist::pool pool;
    void (*down)(int);
    series resident{}, tables{};
    std::size_t time = 0;
  };
  auto with = [](std::size_t kib) { return heist::options{.workers = 1, .stack_size = kib << 10}; };
  depth depths[] = {{"calls, a page each", heist::pool(with(256 << 10)), nest_calls},
                    {"scopes, stacks of 128 KiB", heist::pool(with(128)), nest_scopes},
                    {"scopes, stacks of 8 MiB", heist::pool(with(8 << 10)), nest_scopes}};
  bench::contest c;
  for (depth& d : depths)
    d.time = c.add([&d] {
      const double resident = bench::status_kib("VmRSS"), tables = bench::status_kib("VmPTE");
      const double ns = bench::thread_ns_of([&] { d.pool.run([&] { d.down(levels); }); });
      if (d.down == nest_scopes) {
        d.resident.add((resident_kib - resident) / levels);
        d.tables.add((tables_kib - tables) / levels);
      }
      return ns / levels / 1e3;
    });
  c.play(o.rounds);
  bench::table t({"20,000 levels, one worker", "us a level: min", "median", "KiB resident", "KiB of page tables"});
  for (const depth& d : depths)
    t.add({d.name, text("%.2f", c[d.time].min()), text("%.2f", c[d.time].median()),
           d.down == nest_scopes ? text("%.2f", d.resident.median()) : "",
           d.down == nest_scopes ? text("%.2f", d.tables.median()) : ""});
  t.print();
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv, 15);
  bench::introduce("spawn", o);
  unstolen(o);
  nested(o);
  stolen(o);
}
