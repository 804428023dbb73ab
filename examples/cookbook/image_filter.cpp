// Recipe: a filter that makes each pixel of an image from those around it.

#include <heist/heist.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdint>
#include <vector>

namespace {

// region: data
struct image {
  int width, height;
  std::vector<std::uint8_t> grey;

  image(int w, int h) : width(w), height(h), grey(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}
  std::uint8_t& at(int x, int y) { return grey[static_cast<std::size_t>(y * width + x)]; }
  // Past the edge, the pixel at the edge.
  int near(int x, int y) const {
    return grey[static_cast<std::size_t>(std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1))];
  }
};

void blur_row(const image& in, image& out, int y) {
  for (int x = 0; x < in.width; ++x) {
    int sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) sum += (2 - dx * dx) * (2 - dy * dy) * in.near(x + dx, y + dy);
    out.at(x, y) = static_cast<std::uint8_t>((sum + 8) / 16);
  }
}
// end

// region: serial
image blur_serial(const image& in) {
  image out(in.width, in.height);
  for (int y = 0; y < in.height; ++y) blur_row(in, out, y);
  return out;
}
// end

// region: parallel
image blur(const image& in) {
  image out(in.width, in.height);
  heist::for_each_index(0, in.height, [&](int y) { blur_row(in, out, y); });
  return out;
}
// end

}  // namespace

int main() {
  image in(1000, 700);
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x) in.at(x, y) = (x / 50 + y / 50) % 2 != 0 ? 255 : 0;
  const image out = blur(in);
  std::printf("across an edge, before: %d %d %d %d, after: %d %d %d %d\n", in.near(48, 20), in.near(49, 20),
              in.near(50, 20), in.near(51, 20), out.near(48, 20), out.near(49, 20), out.near(50, 20), out.near(51, 20));
  return out.grey == blur_serial(in).grey && out.near(49, 20) == 64 ? 0 : 1;
}
