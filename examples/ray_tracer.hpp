#pragma once
// A ray tracer: for every pixel, where does the light come from? A ray is followed from the eye to the nearest thing it
// hits, from there to the lamp, and on as a reflection. No pixel depends on another: the simplest of parallel loops,
// but some pixels take many times as long as others.
//
// Work Θ(pixels · samples · things) and what reflections add; span Θ(lg pixels) and the dearest pixel.

#include <examples/vec.hpp>
#include <heist/heist.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace examples {

inline vec unit(vec v) { return 1 / std::sqrt(dot(v, v)) * v; }

struct ray {
  vec from, to;  // a place, and a direction of length 1
  vec at(double distance) const { return from + distance * to; }
};

struct sphere {
  vec middle;
  double radius;
  vec colour;
  double mirror;  // the part of the light that it reflects, 0 … 1
};

struct scene {
  std::vector<sphere> spheres;  // on a chequered plane, y = 0
  vec lamp;
  vec eye;
};

struct surface {
  double distance = std::numeric_limits<double>::infinity();
  vec place, normal, colour;
  double mirror = 0;
};

constexpr double too_near = 1e-6;  // a surface does not hit itself

inline double distance_to(const sphere& s, const ray& r) {
  const vec way = r.from - s.middle;
  const double half = dot(way, r.to), rest = half * half - dot(way, way) + s.radius * s.radius;
  if (rest < 0) return -1;
  const double first = -half - std::sqrt(rest);
  return first > too_near ? first : -half + std::sqrt(rest);
}

inline surface hit(const scene& s, const ray& r) {
  surface nearest;
  for (const sphere& ball : s.spheres) {
    const double d = distance_to(ball, r);
    if (d <= too_near || d >= nearest.distance) continue;
    const vec place = r.at(d);
    nearest = {d, place, unit(place - ball.middle), ball.colour, ball.mirror};
  }
  const double floor = -r.from.y / r.to.y;
  if (floor > too_near && floor < nearest.distance) {
    const vec place = r.at(floor);
    const bool dark = (static_cast<long>(std::floor(place.x)) + static_cast<long>(std::floor(place.z))) % 2 != 0;
    nearest = {floor, place, {0, 1, 0}, dark ? vec{0.25, 0.3, 0.35} : vec{0.8, 0.8, 0.75}, 0.1};
  }
  return nearest;
}

inline bool in_shadow(const scene& s, vec place) {
  const vec way = s.lamp - place;
  const double distance = std::sqrt(dot(way, way));
  const ray r{place, 1 / distance * way};
  for (const sphere& ball : s.spheres) {
    const double d = distance_to(ball, r);
    if (d > too_near && d < distance) return true;
  }
  return false;
}

inline vec light_along(const scene& s, const ray& r, int reflections) {
  const surface found = hit(s, r);
  if (!std::isfinite(found.distance)) {
    const double height = r.to.y > 0 ? r.to.y : 0;
    return (1 - height) * vec{0.85, 0.9, 1} + height * vec{0.3, 0.5, 0.9};
  }
  const vec to_lamp = unit(s.lamp - found.place);
  double bright = 0.15;
  if (dot(found.normal, to_lamp) > 0 && !in_shadow(s, found.place)) bright += 0.85 * dot(found.normal, to_lamp);
  const vec own = (1 - found.mirror) * bright * found.colour;
  if (found.mirror == 0 || reflections == 0) return own;
  const ray on{found.place, r.to - 2 * dot(r.to, found.normal) * found.normal};
  return own + found.mirror * light_along(s, on, reflections - 1);
}

struct image {
  std::size_t width, height;
  std::vector<std::uint8_t> bytes;  // red, green and blue of each pixel, row by row

  image(std::size_t w, std::size_t h) : width(w), height(h), bytes(3 * w * h) {}
};

inline void render_pixel(const scene& s, image& out, std::size_t pixel) {
  constexpr int side = 2;  // so many samples each way
  const double scale = 1 / static_cast<double>(out.height);
  vec sum;
  for (int k = 0; k < side * side; ++k) {
    const double x = static_cast<double>(pixel % out.width) + (0.5 + k % side) / side;
    const double y = static_cast<double>(pixel / out.width) + (0.5 + k / side) / side;
    const vec to{scale * x - scale * static_cast<double>(out.width) / 2, 0.3 - scale * y, 1};
    sum += light_along(s, {s.eye, unit(to)}, 5);
  }
  auto byte = [](double light) {
    const double shown = std::sqrt(light / (side * side));  // screens show the square of it
    return static_cast<std::uint8_t>(shown < 1 ? 255 * shown : 255);
  };
  out.bytes[3 * pixel] = byte(sum.x);
  out.bytes[3 * pixel + 1] = byte(sum.y);
  out.bytes[3 * pixel + 2] = byte(sum.z);
}

inline image render_serial(const scene& s, std::size_t width, std::size_t height) {
  image out(width, height);
  for (std::size_t i = 0; i < width * height; ++i) render_pixel(s, out, i);
  return out;
}

inline image render(const scene& s, std::size_t width, std::size_t height) {
  image out(width, height);
  heist::for_each_index(std::size_t{0}, width * height, [&](std::size_t i) { render_pixel(s, out, i); });
  return out;
}

}  // namespace examples
