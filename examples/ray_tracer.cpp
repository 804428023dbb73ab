// ray_tracer [file]: writes the picture, as a portable pixmap, to ray_tracer.ppm or to the file named.

#include <examples/ray_tracer.hpp>

#include <cstdio>
#include <fstream>
#include <random>

static examples::scene balls() {
  examples::scene s{{}, {-6, 9, -5}, {0.3, 2.4, -6.5}};
  s.spheres = {{{0, 1.3, 1}, 1.3, {0.9, 0.9, 0.95}, 0.8},
               {{-2.3, 0.9, -0.3}, 0.9, {0.85, 0.2, 0.15}, 0.25},
               {{2.2, 0.8, -0.6}, 0.8, {0.15, 0.35, 0.8}, 0.25},
               {{-0.6, 0.4, -1.6}, 0.4, {0.95, 0.75, 0.2}, 0.15}};
  std::mt19937 dice(11);
  auto any = [&dice] { return static_cast<double>(dice()) * 0x1p-32; };
  for (int ring = 0; ring < 14; ++ring) {
    const double angle = ring * 0.449, radius = 0.15 + 0.2 * any();
    const examples::vec c{0.3 + 0.6 * any(), 0.3 + 0.6 * any(), 0.3 + 0.6 * any()};
    s.spheres.push_back({{3.6 * std::cos(angle), radius, 1 + 3.6 * std::sin(angle)}, radius, c, 0.1});
  }
  return s;
}

int main(int argc, char** argv) {
  const char* const name = argc > 1 ? argv[1] : "ray_tracer.ppm";
  const examples::scene s = balls();
  const examples::image picture = examples::render(s, 480, 300);
  std::ofstream file(name, std::ios::binary);
  file << "P6\n" << picture.width << ' ' << picture.height << "\n255\n";
  file.write(reinterpret_cast<const char*>(picture.bytes.data()), static_cast<std::streamsize>(picture.bytes.size()));
  const bool written = static_cast<bool>(file.flush());
  std::printf("%zu x %zu pixels %s to %s\n", picture.width, picture.height, written ? "written" : "NOT written", name);
  return written && picture.bytes == examples::render_serial(s, 480, 300).bytes ? 0 : 1;
}
