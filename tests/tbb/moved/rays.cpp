// Draws balls by tracing rays, as oneTBB programs draw pictures: tiles of a blocked_range2d, scratch memory for each thread,
// an arena of its own, and a pipeline that packs the lines in order.
#include "tests/tbb/moved/tbb.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace {

struct vec {
  double x, y, z;
};
vec operator+(vec a, vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
vec operator-(vec a, vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
vec operator*(vec a, double k) { return {a.x * k, a.y * k, a.z * k}; }
double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
vec unit(vec a) { return a * (1 / std::sqrt(dot(a, a))); }

struct ball {
  vec middle;
  double radius, mirrors;
};
struct ray {
  vec from, along;
};

const std::vector<ball> balls = {{{0, 0, 5}, 1, 0.3}, {{1.6, 0.4, 4}, 0.6, 0.6}, {{-1.5, -0.3, 4.5}, 0.7, 0.1}, {{0, -101, 5}, 100, 0.2}};
const vec sun = unit({0.5, 1, -0.6});

std::optional<double> distance(const ray& r, const ball& b) {
  const vec to = b.middle - r.from;
  const double along = dot(to, r.along), beside = dot(to, to) - along * along, inside = b.radius * b.radius - beside;
  if (inside < 0) return {};
  const double d = along - std::sqrt(inside);
  return d > 1e-6 ? std::optional(d) : std::nullopt;
}

// The rays of a pixel lie in memory that its thread uses again and again.
double brightness(std::vector<ray>& way, ray first) {
  way.assign(1, first);
  double light = 0, share = 1;
  for (int bounces = 0; bounces < 4 && !way.empty(); ++bounces) {
    const ray r = way.back();
    way.pop_back();
    const ball* hit = nullptr;
    double nearest = 1e30;
    for (const ball& b : balls)
      if (const auto d = distance(r, b); d && *d < nearest) nearest = *d, hit = &b;
    if (hit == nullptr) {
      light += share * 0.2 * (1 + r.along.y);
      break;
    }
    const vec place = r.from + r.along * nearest, normal = unit(place - hit->middle);
    const bool dark = std::any_of(balls.begin(), balls.end(), [&](const ball& b) { return distance({place, sun}, b).has_value(); });
    light += share * (1 - hit->mirrors) * (0.1 + (dark ? 0 : 0.9 * std::max(0.0, dot(normal, sun))));
    share *= hit->mirrors;
    way.push_back({place, r.along - normal * (2 * dot(r.along, normal))});
  }
  return light;
}

}  // namespace

int main() {
  constexpr int width = 72, height = 30;
  std::vector<double> picture(width * height);
  tbb::enumerable_thread_specific<std::vector<ray>> ways;
  std::atomic<int> tiles{0};

  tbb::task_arena arena(3);
  tbb::affinity_partitioner again;
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range2d<int>(0, height, 4, 0, width, 16),
        [&](const tbb::blocked_range2d<int>& tile) {
          ++tiles;
          std::vector<ray>& way = ways.local();
          for (int y = tile.rows().begin(); y != tile.rows().end(); ++y)
            for (int x = tile.cols().begin(); x != tile.cols().end(); ++x)
              picture[y * width + x] =
                  brightness(way, {{0, 0.3, 0}, unit({(x - width / 2) / 36.0, (height / 2 - y) / 18.0, 1.5})});
        },
        again);
  });

  // Lines in, characters made in parallel, written in order.
  int line = 0;
  double sum = 0;
  tbb::parallel_pipeline(
      8, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                     [&](tbb::flow_control& flow) {
                                       if (line == height) flow.stop();
                                       return line++;
                                     }) &
             tbb::make_filter<int, std::string>(tbb::filter_mode::parallel,
                                                [&](int y) {
                                                  std::string text;
                                                  for (int x = 0; x < width; ++x)
                                                    text += " .:-=+*#%@"[std::clamp(int(picture[y * width + x] * 10), 0, 9)];
                                                  return text;
                                                }) &
             tbb::make_filter<std::string, void>(tbb::filter_mode::serial_in_order,
                                                 [&](const std::string& text) { std::printf("%s|\n", text.c_str()); }));
  for (const double light : picture) sum += light;
  std::printf("mean brightness %.6f, in several tiles: %s\n", sum / (width * height), tiles > 1 ? "yes" : "no");
}
