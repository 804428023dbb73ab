// The experiment every course shows: a sum cut by hand, with leaves of 1 to n elements.

#include <analysis/plot/chart.hpp>
#include <bench/loops/contestants.hpp>

#include <heist/heist.hpp>

#include <numeric>

namespace loops_bench {
namespace {

namespace plot = heist::plot;
using bench::text;

constexpr std::size_t n = std::size_t{1} << 20;

// Halves until a leaf has at most g elements. Work n, span lg(n/g) + g.
double sum(const double* v, std::size_t size, std::size_t g) {
  if (size <= g) return std::reduce(v, v + size, 0.0);
  auto [a, b] = heist::join([=] { return sum(v, size / 2, g); }, [=] { return sum(v + size / 2, size - size / 2, g); });
  return a + b;
}

// The branches it leaves to thieves: one a fork.
std::size_t branches(std::size_t size, std::size_t g) {
  return size <= g ? 0 : 1 + branches(size / 2, g) + branches(size - size / 2, g);
}

// Time over g, both on logarithmic scales; heist::reduce, which needs no g, as a mark at the size of its leaves.
void draw(const char* path, std::vector<plot::point> by_hand, double serial_us, plot::point own) {
  plot::chart c;
  c.title = "Sum of 2²⁰ numbers on two workers";
  c.subtitle = "time over the size g of a leaf";
  c.x = {.label = "g", .scale = plot::scale::log2};
  c.y = {.label = "µs", .scale = plot::scale::log10};
  c.series = {{"cut by hand", std::move(by_hand)},
              {"serial, the same loop", {{1, serial_us}, {n, serial_us}}, plot::mark::dashed},
              {"heist::reduce, its own choice", {own}, plot::mark::points}};
  plot::write_svg(c, path);
}

}  // namespace

void grain_experiment(const bench::options& o, const char* svg_path) {
  std::vector<double> v(n, 0.5);
  heist::pool two({.workers = 2});
  auto timed = [&](auto&& f) {
    double found = 0, ns = 0;
    two.run([&] {
      f();  // until all workers are awake
      ns = bench::ns_of([&] { found = f(); });
    });
    bench::expect(found == n / 2, "sum");
    return ns / 1e3;
  };
  // Not std::plus, for which heist has faster leaves: these add eight by eight, in order.
  const auto plus = [](double a, double b) { return a + b; };
  bench::contest c;
  const auto one_loop = c.add([&] { return timed([&] { return sum(v.data(), n, n); }); });
  const auto own = c.add([&] { return timed([&] { return heist::reduce(v, 0.0, plus); }); });
  std::vector<std::size_t> grains, numbers;
  for (std::size_t g = 1; g <= n; g *= 4) {
    grains.push_back(g);
    numbers.push_back(c.add([&, g] { return timed([&] { return sum(v.data(), n, g); }); }));
  }
  c.play(3 * o.rounds);

  bench::table t({"g", "branches", "branches / (n/g)", "µs: min", "median", "× serial"});
  std::vector<plot::point> points;
  for (std::size_t i = 0; i < grains.size(); ++i) {
    const auto g = static_cast<double>(grains[i]), made = static_cast<double>(branches(n, grains[i]));
    points.push_back({g, c[numbers[i]].min()});
    t.add({report::grouped(grains[i]), report::grouped(static_cast<unsigned long long>(made)),
           text("%.2f", made * g / n), text("%.1f", points[i].y), text("%.1f", c[numbers[i]].median()),
           text("%.2f", points[i].y / c[one_loop].min())});
  }
  t.add({"heist::reduce", "", "", text("%.1f", c[own].min()), text("%.1f", c[own].median()),
         text("%.2f", c[own].min() / c[one_loop].min())});
  std::printf("sum of 2^20 numbers on two workers, cut by hand into leaves of g (serial: %.1f µs)\n\n", c[one_loop].min());
  t.print();
  draw(svg_path, points, c[one_loop].min(), {static_cast<double>(heist::detail::usual_leaf(n)), c[own].min()});
  std::printf("plotted in %s\n\n", svg_path);
}

}  // namespace loops_bench
