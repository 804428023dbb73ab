#pragma once
// Convex hull by quickhull: the point farthest from a chord is on the hull; nothing inside its triangle is; what
// remains lies beyond the two new chords, which are independent. All coordinates are integers, so no answer is a matter
// of rounding.
//
// For points that are well spread: work O(n lg n), as most points drop out early; span O(lg² n), as the recursion is
// O(lg n) deep and each level a maximum and a filter. Points on a circle may take Θ(n²).

#include <heist/heist.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace examples {

struct point {
  std::int32_t x, y;
  friend bool operator==(point, point) = default;
  friend auto operator<=>(point, point) = default;
};
using points = std::vector<point>;

// Positive if c lies to the left of the way from a to b; in proportion to its distance from it.
inline std::int64_t area(point a, point b, point c) {
  return std::int64_t{b.x - a.x} * (c.y - a.y) - std::int64_t{b.y - a.y} * (c.x - a.x);
}

// Of points equally far, the greater: that is a corner, and not a point on an edge.
inline auto farther_from(point a, point b) {
  return [=](point p, point q) {
    const std::int64_t to_p = area(a, b, p), to_q = area(a, b, q);
    return to_p != to_q ? to_p < to_q : p < q;
  };
}

// The corners strictly to the left of the way from a to b, from b back to a; all of `some` are to the left of it.
inline points corners_serial(const points& some, point a, point b) {
  if (some.empty()) return {};
  const point tip = *std::max_element(some.begin(), some.end(), farther_from(a, b));
  points near_a, near_b;
  std::copy_if(some.begin(), some.end(), std::back_inserter(near_a), [=](point p) { return area(a, tip, p) > 0; });
  std::copy_if(some.begin(), some.end(), std::back_inserter(near_b), [=](point p) { return area(tip, b, p) > 0; });
  points found = corners_serial(near_b, tip, b);
  found.push_back(tip);
  const points rest = corners_serial(near_a, a, tip);
  found.insert(found.end(), rest.begin(), rest.end());
  return found;
}

inline points convex_hull_serial(const points& all) {
  const auto [least, greatest] = std::minmax_element(all.begin(), all.end());
  const point a = *least, b = *greatest;
  points upper, lower;
  std::copy_if(all.begin(), all.end(), std::back_inserter(upper), [=](point p) { return area(a, b, p) > 0; });
  std::copy_if(all.begin(), all.end(), std::back_inserter(lower), [=](point p) { return area(b, a, p) > 0; });
  points hull{a};
  for (const point p : corners_serial(lower, b, a)) hull.push_back(p);
  hull.push_back(b);
  for (const point p : corners_serial(upper, a, b)) hull.push_back(p);
  return hull;
}

// copy_if writes to random places: what it writes to has to be there.
template <class Keep>
points those(const points& some, Keep keep) {
  points kept(some.size());
  kept.erase(heist::copy_if(some, kept.begin(), keep).out, kept.end());
  return kept;
}

inline points corners(const points& some, point a, point b) {
  if (some.size() < 2000) return corners_serial(some, a, b);
  const point tip = *heist::max_element(some, farther_from(a, b));
  auto [found, rest] =
      heist::join([&] { return corners(those(some, [=](point p) { return area(tip, b, p) > 0; }), tip, b); },
                  [&] { return corners(those(some, [=](point p) { return area(a, tip, p) > 0; }), a, tip); });
  found.push_back(tip);
  found.insert(found.end(), rest.begin(), rest.end());
  return found;
}

// The corners, from the least on, counter-clockwise. Of at least two different points.
inline points convex_hull(const points& all) {
  const auto [least, greatest] = heist::minmax_element(all);
  const point a = *least, b = *greatest;
  const auto [lower, upper] =
      heist::join([&] { return corners(those(all, [=](point p) { return area(b, a, p) > 0; }), b, a); },
                  [&] { return corners(those(all, [=](point p) { return area(a, b, p) > 0; }), a, b); });
  points hull{a};
  hull.insert(hull.end(), lower.begin(), lower.end());
  hull.push_back(b);
  hull.insert(hull.end(), upper.begin(), upper.end());
  return hull;
}

}  // namespace examples
