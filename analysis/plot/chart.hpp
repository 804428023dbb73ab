#pragma once
// Small line and scatter charts as SVG: axes, a legend, readable on light and dark pages.

#include <string>
#include <vector>

namespace heist::plot {

enum class scale { linear, log2, log10 };
enum class mark {
  line,    // through all points
  points,  // dots only
  both,
  dashed  // for what is a bound, not a measurement
};

struct point {
  double x, y;
};

struct series {
  std::string name;
  std::vector<point> points;
  plot::mark mark = mark::both;
  int colour = -1;  // which of the palette; -1: the next. Series that belong together may share one.
};

struct axis {
  std::string label;
  plot::scale scale = scale::linear;
  // What must be visible besides the points; low > high: nothing.
  double low = 1, high = 0;
};

struct chart {
  std::string title, subtitle;
  axis x, y;
  std::vector<plot::series> series;
  int width = 720, height = 420;
};

// Points that an axis cannot show (not finite, or not positive on a logarithmic one) are left out.
std::string to_svg(const chart& c);

void write_svg(const chart& c, const std::string& path);  // throws std::runtime_error

}  // namespace heist::plot
