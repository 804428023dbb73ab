#include <bench/integrate/area.hpp>
#include <bench/runtimes/async.hpp>

using integrate::piece;

static double area_of(const piece& p, double guess) {
  const integrate::halves h = integrate::cut(p, guess);
  if (h.good) return h.area;
  const auto [a, b] =
      bench::fork([&] { return area_of(h.first, h.first.area()); }, [&] { return area_of(h.second, h.second.area()); });
  return a + b;
}

int main(int argc, char** argv) {
  return bench::contestant(argc, argv, [](auto& runtime, const bench::task& t) {
    const piece all = integrate::whole(static_cast<double>(t.size));
    return runtime.enter([&] { return area_of(all, all.area()); });
  });
}
