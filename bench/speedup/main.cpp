// How much faster are two workers than one?

#include <bench/common/bench.hpp>
#include <bench/speedup/matrix.hpp>
#include <examples/fib.hpp>
#include <examples/queens.hpp>
#include <examples/tree_search.hpp>

namespace {

using bench::series;
using bench::text;

struct program {
  const char* name;
  std::function<long()> serial, parallel;
  long expected;
};

struct matrices {
  static constexpr std::size_t n = 1024;
  std::vector<double> a = std::vector<double>(n * n, 1), b = std::vector<double>(n * n, 2), c = b;

  template <class F>
  long product(F multiply) {
    std::fill(c.begin(), c.end(), 0.);
    multiply(speedup::block{c.data(), n}, speedup::block{a.data(), n}, speedup::block{b.data(), n}, n);
    return static_cast<long>(c[0] + c[n * n - 1]);
  }
};

// The smaller a node's work, the dearer the steals: most subtrees have but a few nodes.
program search(const char* name, const examples::tree& t, long nodes) {
  return {name, [=] { return examples::tree_search_serial(t, t.root); },
          [=] { return examples::tree_search(t, t.root); }, nodes};
}

void compare(const std::vector<program>& programs, const bench::options& o) {
  bench::table t({"ms", "T_s", "T_1", "T_2", "T_1/T_s", "T_2/T_1: min", "median", "cores", "steals", "suspends", ""});
  for (const program& p : programs) {
    heist::pool one({.workers = 1}), two({.workers = 2});
    series steals, suspends, cores;
    auto timed = [&](auto&& f) {
      long found = 0;
      const double ns = bench::ns_of([&] { found = f(); });
      bench::expect(found == p.expected, p.name);
      return ns / 1e6;
    };
    bench::contest c;
    const auto ts = c.add([&] { return timed(p.serial); });
    const auto t1 = c.add([&] { return timed([&] { return one.run([&] { return p.parallel(); }); }); });
    const auto t2 = c.add([&] {
      const heist::statistics before = two.stats();
      const double cpu = bench::process_ns();
      const double ms = timed([&] { return two.run([&] { return p.parallel(); }); });
      cores.add((bench::process_ns() - cpu) / 1e6 / ms);
      const heist::statistics after = two.stats();
      steals.add(static_cast<double>(after.steals - before.steals));
      suspends.add(static_cast<double>(after.suspends - before.suspends));
      return ms;
    });
    c.play(o.rounds);
    const double best = c[t2].min() / c[t1].min();
    t.add({p.name, text("%.1f", c[ts].min()), text("%.1f", c[t1].min()), text("%.1f", c[t2].min()),
           text("%.2f", c[t1].min() / c[ts].min()), text("%.3f", best),
           text("%.3f", bench::ratio(c[t2], c[t1]).median()), text("%.2f", cores.max()), text("%.0f", steals.median()),
           text("%.0f", suspends.median()), cores.max() < 1.5 ? "busy" : bench::verdict(best, 0.55)});
  }
  t.print();
  std::printf(
      "cores: the most that two workers got, CPU time over wall time; busy: others had the machine.\n"
      "target: T_2 at most 0.55 T_1, by the minima, on an idle machine\n");
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  bench::introduce("speedup", o);
  using namespace examples;
  matrices m;
  compare(
      {{"fib(40)", [] { return fib_serial(40); }, [] { return fib(40); }, 102'334'155},
       {"13 queens", [] { return queens_serial(board::empty(13)); }, [] { return queens(board::empty(13)); }, 73'712},
       search("tree search, 24 million nodes, 43 ns each", {1, 15'000, 0.2499, 16}, 23'635'641),
       search("tree search, 47 million nodes, 6 ns each", {1, 30'000, 0.2499, 1}, 47'089'521),
       {"matrix product, 1024", [&] { return m.product(speedup::multiply_serial); },
        [&] { return m.product(speedup::multiply); }, 4096}},
      o);
}
