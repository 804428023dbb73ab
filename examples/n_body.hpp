#pragma once
// A step of n bodies that attract each other. Every body adds up the pull of all others in the same order as the serial
// program, so that the bits are the same; that each pair is looked at twice buys that nobody writes to a body of
// others.
//
// Work Θ(n²), span Θ(n): the bodies go in parallel, a body's sum is a loop.

#include <examples/vec.hpp>
#include <heist/heist.hpp>

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace examples {

struct body {
  vec place, speed;
  double mass;
  friend bool operator==(const body&, const body&) = default;
};

// What all the others do to the speed of one in a unit of time. The softening keeps two that meet from flying apart.
inline vec pull(std::span<const body> all, vec place) {
  constexpr double softening = 1e-4;
  vec sum;
  for (const body& other : all) {
    const vec d = other.place - place;
    const double r2 = dot(d, d) + softening;
    sum += other.mass / (r2 * std::sqrt(r2)) * d;
  }
  return sum;
}

inline void step_serial(std::span<body> all, double time) {
  for (body& b : all) b.speed += time * pull(all, b.place);
  for (body& b : all) b.place += time * b.speed;
}

inline void step(std::span<body> all, double time) {
  heist::for_each(all, [=](body& b) { b.speed += time * pull(all, b.place); });
  heist::for_each(all, [=](body& b) { b.place += time * b.speed; });
}

// Of the whole; no step changes it but by rounding.
inline vec momentum(std::span<const body> all) {
  return heist::transform_reduce(all, vec(), std::plus<>(), [](const body& b) { return b.mass * b.speed; });
}

}  // namespace examples
