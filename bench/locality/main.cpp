// Do repeated loops over the same data gain from heist::affinity? A heat equation and an iterated sparse matrix-vector product,
// on two workers: by heist with and without it, and by OpenMP's static schedule, which gives each thread the same part every time.

#include <bench/common/bench.hpp>
#include <bench/heat/grid.hpp>
#include <bench/locality/sparse.hpp>

#include <heist/affinity.hpp>
#include <heist/for_each.hpp>
#include <heist/pool.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace locality {
void heat_openmp(heat::input& g, int steps);
void sparse_openmp(sparse& m, int steps);
}  // namespace locality

namespace {

using bench::text;
using locality::sparse;

constexpr unsigned workers = 2;
constexpr int steps = 50;

struct figures {
  bench::series plain, affine, openmp;
};

// Each contestant repeats the loop; the input says what a step is.
template <class Input>
figures measure(Input& in, std::size_t first, std::size_t last, void (*openmp)(Input&, int), const bench::options& o) {
  heist::pool pool({.workers = workers});
  heist::affinity parts;
  const auto by = [&](auto&& loop) {
    return bench::ns_of([&] {
      for (int s = 0; s < steps; ++s) {
        loop();
        in.end_step();
      }
    });
  };
  const auto row = [&](std::size_t i) { in.row(i); };
  bench::contest c;
  const std::size_t plain = c.add([&] { return pool.run([&] { return by([&] { heist::for_each_index(first, last, row); }); }); });
  const std::size_t affine = c.add([&] { return pool.run([&] { return by([&] { heist::for_each_index(first, last, row, parts); }); }); });
  const std::size_t omp = c.add([&] { return bench::ns_of([&] { openmp(in, steps); }); });
  c.play(o.rounds);
  return {c[plain], c[affine], c[omp]};
}

void add_row(bench::table& t, const std::string& name, const figures& f) {
  t.add({name, text("%.2f", f.plain.median() / 1e6 / steps), text("%.2f", f.affine.median() / 1e6 / steps),
         text("%.2f", f.openmp.median() / 1e6 / steps), text("%.3f", bench::ratio(f.affine, f.openmp).median()),
         text("%.3f", bench::ratio(f.affine, f.plain).median()),
         bench::verdict(bench::ratio(f.affine, f.openmp).median(), 1.02) + ", " +
             bench::verdict(bench::ratio(f.affine, f.plain).median(), 1.03)});
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv, 15);
  bench::introduce("locality", o);
  bench::table t({"a step, ms, P = 2", "heist", "with affinity", "OpenMP static", "affinity/OpenMP", "affinity/heist", "at most 1.02, 1.03"});
  // In a core's own cache, in the caches of all, and beyond.
  for (const std::size_t n : {256u, 512u, 1'024u, 2'048u}) {
    heat::input g(static_cast<long>(n));
    g.reset();
    add_row(t, "heat, " + std::to_string(n) + " squared", measure<heat::input>(g, 1, g.n - 1, locality::heat_openmp, o));
  }
  for (const std::size_t n : {20'000u, 200'000u}) {
    sparse m(n);
    add_row(t, "sparse, " + std::to_string(n) + " rows", measure<sparse>(m, 0, m.rows(), locality::sparse_openmp, o));
    bench::expect(m.holds(), "the product");
  }
  t.print();
  std::printf("to reach: affinity/OpenMP at most 1.02, affinity/heist at most 1.03. Medians.\n");
}
