// How near do measured work and span come to those of known dags, and what does measuring cost?

#include <bench/common/bench.hpp>

#include <heist/base/cpu.hpp>
#include <heist/heist.hpp>

#include <thread>

namespace {

using bench::series;
using bench::text;

void spin(double ns) {
  const double end = bench::now_ns() + ns;
  while (bench::now_ns() < end) {
  }
}

// Known dags: every strand takes `ns`, but for the empty branches of the chain and what comes after a join.
void balanced(int depth, double ns) {
  spin(ns);
  if (depth > 0) heist::join([=] { balanced(depth - 1, ns); }, [=] { balanced(depth - 1, ns); });
}

void chain(int links, double ns) {
  if (links == 0) return;
  heist::join([=] { spin(ns); }, [] {});
  chain(links - 1, ns);
}

void skewed(int links, double ns) {
  spin(ns);
  if (links > 0) heist::join([=] { spin(ns); }, [=] { skewed(links - 1, ns); });
}

// The hardest: nearly all of its span is forks.
void bare_skewed(int links, double ns) {
  if (links > 0) heist::join([=] { spin(ns); }, [=] { bare_skewed(links - 1, ns); });
}

// For what a fork costs when it is measured.
void bare_balanced(int depth, double ns) {
  if (depth == 0) return spin(ns);
  heist::join([=] { bare_balanced(depth - 1, ns); }, [=] { bare_balanced(depth - 1, ns); });
}

void spawned(int children, double ns) {
  heist::scope s;
  for (int i = 0; i < children; ++i) {
    s.spawn([=] { spin(ns); });
    spin(ns / 4);
  }
}

struct dag {
  const char* name;
  std::function<void(double)> run;
  double work, span;  // in strands of `ns`
};

const dag dags[] = {
    {"balanced tree, 512 leaves", [](double ns) { balanced(9, ns); }, 1023, 10},
    {"chain of 500 joins", [](double ns) { chain(500, ns); }, 500, 500},
    {"skewed tree, 500 leaves", [](double ns) { skewed(500, ns); }, 1001, 501},
    {"400 children, a quarter each between them", [](double ns) { spawned(400, ns); }, 500, 100 + 0.75},
    {"skewed tree, 1,000 leaves, nothing between forks", [](double ns) { bare_skewed(1000, ns); }, 1000, 1},
};

// The least of some runs: what disturbs a run makes it longer.
heist::measurement measured(heist::pool& p, const dag& d, double ns, int rounds) {
  heist::measurement best;
  best.work = best.span = 1e300;
  for (int i = 0; i < rounds; ++i) {
    const heist::measurement m = p.run([&] { return heist::measure([&] { d.run(ns); }); });
    best.work = std::min(best.work, m.work);
    best.span = std::min(best.span, m.span);
  }
  return best;
}

void accuracy(int rounds) {
  heist::pool one({.workers = 1}), two({.workers = 2});
  bench::table t({"strands of", "", "work: 1 worker", "2 workers", "span: 1 worker", "2 workers"});
  for (const double ns : {1'000., 10'000., 100'000.})
    for (const dag& d : dags) {
      const heist::measurement a = measured(one, d, ns, rounds), b = measured(two, d, ns, rounds);
      auto of = [&](double figure, double strands) { return text("%.3f", figure / (strands * ns)); };
      t.add({text("%.0f us", ns / 1e3), d.name, of(a.work, d.work), of(b.work, d.work), of(a.span, d.span),
             of(b.span, d.span)});
    }
  std::printf("Measured over known:\n\n");
  t.print();
}

constexpr int looks = 10'000;
void look_at_clock() {
  for (int i = 0; i < looks; ++i) asm volatile("" ::"r"(heist::detail::ticks()));
}

void cost(int rounds) {
  heist::pool one({.workers = 1});
  bench::table t({"ns a fork", "not measured", "measured", "difference", "at most", ""});
  for (const double ns : {0., 1'000.}) {
    constexpr int depth = 13;
    const double forks = (1 << depth) - 1;
    auto run = [&] { bare_balanced(depth, ns); };
    bench::contest c;
    const auto off = c.add([&] { return one.run([&] { return bench::ns_of(run) / forks; }); });
    const auto on = c.add(
        [&] { return one.run([&] { return bench::ns_of([&] { static_cast<void>(heist::measure(run)); }) / forks; }); });
    const auto look = c.add([] { return bench::ns_of(look_at_clock) / looks; });
    c.play(rounds);
    const double more = c[on].min() - c[off].min(), most = ns > 0 ? c[off].min() * 0.05 : 4 * c[look].min() + 10;
    t.add({ns > 0 ? "leaves of 1 us" : "empty leaves", text("%.1f", c[off].min()), text("%.1f", c[on].min()),
           text("%.1f", more), text("%.1f", most), bench::verdict(more / most, 1)});
    if (ns == 0) std::printf("\nA look at the clock takes %.1f ns.\n", c[look].min());
  }
  std::printf("\n");
  t.print();
  std::printf("targets: four looks at the clock and 10 ns; under 5 %% with leaves of 1 us\n");
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv, 9);
  bench::introduce("meter", o);
  accuracy(o.rounds);
  cost(o.rounds);
}
