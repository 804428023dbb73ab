#pragma once
// Self-avoiding walks on a cubic lattice that visit every point of a box: how many are there? A
// walk is extended point by point; each free neighbour is a child of a scope, and a walk that has
// visited all adds one to a reducer.
//
// Work: the number of self-avoiding walks in the box, of any length, which grows exponentially with its volume. Span
// O(volume): a walk has that many points, each with at most six neighbours to spawn.

#include <heist/heist.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace examples {

using point_set = std::uint32_t;  // a bit for every point

inline point_set lowest_of(point_set s) { return s & (~s + 1); }

// A box of at most 32 points, and the neighbours of each.
class box {
 public:
  box(int a, int b, int c) : sides_{a, b, c}, neighbours_(static_cast<std::size_t>(a * b * c)) {
    for (int x = 0; x < a; ++x)
      for (int y = 0; y < b; ++y)
        for (int z = 0; z < c; ++z)
          neighbours_[number(x, y, z)] =
              at(x - 1, y, z) | at(x + 1, y, z) | at(x, y - 1, z) | at(x, y + 1, z) | at(x, y, z - 1) | at(x, y, z + 1);
  }

  std::size_t points() const { return neighbours_.size(); }
  point_set all() const { return static_cast<point_set>((std::uint64_t{1} << points()) - 1); }
  point_set neighbours(point_set of_one) const {
    return neighbours_[static_cast<std::size_t>(std::countr_zero(of_one))];
  }

 private:
  std::size_t number(int x, int y, int z) const {
    return static_cast<std::size_t>((x * sides_[1] + y) * sides_[2] + z);
  }
  point_set at(int x, int y, int z) const {
    const bool inside = 0 <= x && x < sides_[0] && 0 <= y && y < sides_[1] && 0 <= z && z < sides_[2];
    return inside ? point_set{1} << number(x, y, z) : 0;
  }

  int sides_[3];
  std::vector<point_set> neighbours_;
};

// The walks that go on from `here` through all of the `free` points.
inline long walks_on_serial(const box& b, point_set here, point_set free) {
  if (free == 0) return 1;
  long found = 0;
  for (point_set next = b.neighbours(here) & free; next != 0; next &= next - 1)
    found += walks_on_serial(b, lowest_of(next), free & ~lowest_of(next));
  return found;
}

inline long lattice_walks_serial(const box& b) {
  long found = 0;
  for (point_set start = b.all(); start != 0; start &= start - 1)
    found += walks_on_serial(b, lowest_of(start), b.all() & ~lowest_of(start));
  return found;
}

inline void walk_on(const box& b, point_set here, point_set free, heist::reducer<long>& found) {
  // The last points are a handful of microseconds: not worth stacks of their own.
  constexpr int last_points = 12;
  if (std::popcount(free) <= last_points) {
    *found += walks_on_serial(b, here, free);
    return;
  }
  heist::with_scope([&](heist::scope& children) {
    for (point_set left = b.neighbours(here) & free; left != 0; left &= left - 1) {
      const point_set next = lowest_of(left);
      children.spawn([=, &b, &found] { walk_on(b, next, free & ~next, found); });
    }
  });
}

// Walks that differ in direction only count as two.
inline long lattice_walks(const box& b) {
  heist::reducer<long> found;
  heist::for_each_index(std::size_t{0}, b.points(), [&](std::size_t i) {
    const point_set start = point_set{1} << i;
    walk_on(b, start, b.all() & ~start, found);
  });
  return found.take();
}

}  // namespace examples
