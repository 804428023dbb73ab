// The experiment every course shows: a sum cut by hand, with leaves of 1 to n elements.

#include <bench/loops/contestants.hpp>

#include <heist/heist.hpp>

#include <cmath>
#include <fstream>

namespace loops_bench {
namespace {

using bench::text;

constexpr std::size_t n = std::size_t{1} << 20;

// Halves until a leaf has at most g elements. Work n, span lg(n/g) + g.
double sum(const double* v, std::size_t size, std::size_t g) {
  if (size <= g) {
    double s = 0;
    for (std::size_t i = 0; i < size; ++i) s += v[i];
    return s;
  }
  auto [a, b] = heist::join([=] { return sum(v, size / 2, g); }, [=] { return sum(v + size / 2, size - size / 2, g); });
  return a + b;
}

// The branches it leaves to thieves: one a fork.
std::size_t branches(std::size_t size, std::size_t g) {
  return size <= g ? 0 : 1 + branches(size / 2, g) + branches(size - size / 2, g);
}

struct point {
  std::size_t g;
  double us;
};

// Time over g, both on logarithmic scales; heist::reduce, which needs no g, as a mark at the size of its leaves.
void plot(const char* path, const std::vector<point>& points, double serial_us, const point& own) {
  constexpr double width = 760, height = 420, left = 70, right = 40, top = 30, bottom = 50;
  double least = std::min(serial_us, own.us), most = least;
  for (const point& p : points) least = std::min(least, p.us), most = std::max(most, p.us);
  const double low = std::floor(std::log10(least / 1.1) * 4) / 4, high = std::ceil(std::log10(most * 1.1) * 4) / 4;
  auto x = [&](double g) { return left + std::log2(g) / std::log2(n) * (width - left - right); };
  auto y = [&](double us) { return top + (high - std::log10(us)) / (high - low) * (height - top - bottom); };
  std::ofstream svg(path);
  svg << text("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" "
              "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
              width, height);
  for (std::size_t g = 1; g <= n; g *= 16)
    svg << text("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", x(double(g)), top, x(double(g)),
                height - bottom)
        << text("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", x(double(g)), height - bottom + 18,
                report::grouped(g).c_str());
  for (double us = 1; us < 1e6; us *= 10) {
    for (const double step : {1., 2., 5.}) {
      if (std::log10(us * step) < low || std::log10(us * step) > high) continue;
      svg << text("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", left, y(us * step),
                  width - right, y(us * step))
          << text("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g µs</text>\n", left - 6, y(us * step) + 4, us * step);
    }
  }
  svg << text("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#888\" stroke-dasharray=\"5 4\"/>", left,
              y(serial_us), width - right, y(serial_us))
      << text("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" fill=\"#666\">serial, the same loop</text>\n", width - right - 4,
              y(serial_us) - 5)
      << "<polyline fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2\" points=\"";
  for (const point& p : points) svg << text("%.1f,%.1f ", x(double(p.g)), y(p.us));
  svg << "\"/>\n";
  for (const point& p : points)
    svg << text("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"#1f5fa8\"/>", x(double(p.g)), y(p.us));
  svg << text("\n<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"#c0392b\"/>", x(double(own.g)), y(own.us))
      << text("<text x=\"%.1f\" y=\"%.1f\" fill=\"#c0392b\">heist::reduce</text>\n", x(double(own.g)) + 10, y(own.us) + 4)
      << text("<text x=\"%.1f\" y=\"18\">Sum of 2²⁰ numbers on two workers: time over the size g of a leaf</text>\n", left)
      << text("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">g</text>\n</svg>\n", (left + width - right) / 2, height - 12);
}

}  // namespace

void grain_experiment(const bench::options& o, const char* svg_path) {
  std::vector<double> v(n, 0.5);
  heist::pool two({.workers = 2});
  auto timed = [&](auto&& f) {
    double found = 0;
    const double us = bench::ns_of([&] { found = f(); }) / 1e3;
    bench::expect(found == n / 2, "sum");
    return us;
  };
  bench::contest c;
  const auto one_loop = c.add([&] { return timed([&] { return sum(v.data(), n, n); }); });
  const auto own = c.add([&] { return timed([&] { return two.run([&] { return heist::reduce(v); }); }); });
  std::vector<point> points;
  std::vector<std::size_t> numbers;
  for (std::size_t g = 1; g <= n; g *= 4) {
    points.push_back({g, 0});
    numbers.push_back(c.add([&, g] { return timed([&] { return two.run([&] { return sum(v.data(), n, g); }); }); }));
  }
  c.play(3 * o.rounds);

  bench::table t({"g", "branches", "branches / (n/g)", "µs: min", "median", "× serial"});
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].us = c[numbers[i]].min();
    const auto made = static_cast<double>(branches(n, points[i].g));
    t.add({report::grouped(points[i].g), report::grouped(static_cast<unsigned long long>(made)),
           text("%.2f", made * static_cast<double>(points[i].g) / n), text("%.1f", points[i].us),
           text("%.1f", c[numbers[i]].median()), text("%.2f", points[i].us / c[one_loop].min())});
  }
  const point ours{heist::detail::cheap_leaf, c[own].min()};
  t.add({"heist::reduce", "", "", text("%.1f", ours.us), text("%.1f", c[own].median()),
         text("%.2f", ours.us / c[one_loop].min())});
  std::printf("sum of 2^20 numbers on two workers, cut by hand into leaves of g (serial: %.1f µs)\n\n", c[one_loop].min());
  t.print();
  plot(svg_path, points, c[one_loop].min(), ours);
  std::printf("plotted in %s\n\n", svg_path);
}

}  // namespace loops_bench
