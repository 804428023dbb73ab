#include <examples/convex_hull.hpp>

#include <cstdio>
#include <random>

// Every turn is to the left, and no point is outside.
static bool encloses(const examples::points& hull, const examples::points& all) {
  const std::size_t n = hull.size();
  for (std::size_t i = 0; i < n; ++i)
    if (examples::area(hull[i], hull[(i + 1) % n], hull[(i + 2) % n]) <= 0) return false;
  return heist::all_of(all, [&](examples::point p) {
    for (std::size_t i = 0; i < n; ++i)
      if (examples::area(hull[i], hull[(i + 1) % n], p) < 0) return false;
    return true;
  });
}

int main() {
  constexpr int radius = 10'000;
  std::mt19937 dice(5);
  auto any = [&dice] { return static_cast<std::int32_t>(dice() % (2 * radius)) - radius; };
  examples::points all(300'000);
  for (examples::point& p : all) {
    do p = {any(), any()};
    while (p.x * p.x + p.y * p.y > radius * radius);
  }
  const examples::points hull = examples::convex_hull(all);
  std::printf("%zu points in a disc: %zu are corners of their hull\n", all.size(), hull.size());
  return hull == examples::convex_hull_serial(all) && encloses(hull, all) ? 0 : 1;
}
