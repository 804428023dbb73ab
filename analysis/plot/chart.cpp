#include <analysis/plot/chart.hpp>

#include <analysis/plot/ticks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace heist::plot {
namespace {

constexpr int colours = 6;
// Told apart by people who see red and green alike, on both backgrounds.
constexpr const char* style = R"(<style>
text{font:13px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;fill:#1f2328}
.title{font-size:15px;font-weight:600}.small{font-size:12px;fill:#59636e}
.page{fill:#fff}.grid{stroke:#e4e7eb}.axis{stroke:#59636e}
path{fill:none;stroke-width:2;stroke-linejoin:round}.dashed{stroke-dasharray:6 4;stroke-width:1.6}
.s0{stroke:#0b6bcb}.d0{fill:#0b6bcb}.s1{stroke:#c9510c}.d1{fill:#c9510c}.s2{stroke:#17806d}.d2{fill:#17806d}
.s3{stroke:#8a3ffc}.d3{fill:#8a3ffc}.s4{stroke:#96690a}.d4{fill:#96690a}.s5{stroke:#59636e}.d5{fill:#59636e}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9aa4af}.page{fill:#0d1117}.grid{stroke:#262c34}.axis{stroke:#9aa4af}
.s0{stroke:#58a6ff}.d0{fill:#58a6ff}.s1{stroke:#ff9a57}.d1{fill:#ff9a57}.s2{stroke:#3fc8ad}.d2{fill:#3fc8ad}
.s3{stroke:#be95ff}.d3{fill:#be95ff}.s4{stroke:#e3b341}.d4{fill:#e3b341}.s5{stroke:#9aa4af}.d5{fill:#9aa4af}}
</style>
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

class drawing {
 public:
  explicit drawing(const chart& c)
      : chart_(c),
        top_(c.subtitle.empty() ? 44 : 62),
        bottom_(c.height - 52 - 20 * lay_out_legend()),
        x_(c.x, values(&point::x), left, c.width - right),
        y_(c.y, values(&point::y), bottom_, top_) {}

  std::string draw() {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\">\n",
        chart_.width, chart_.height, chart_.width, chart_.height);
    add("<title>{}</title>\n{}<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n", escaped(chart_.title), style);
    add("<text class=\"title\" x=\"{}\" y=\"24\">{}</text>\n", left, escaped(chart_.title));
    if (!chart_.subtitle.empty())
      add("<text class=\"small\" x=\"{}\" y=\"43\">{}</text>\n", left, escaped(chart_.subtitle));
    draw_axes();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) draw_series(chart_.series[i], colour(i));
    draw_legend();
    add("</svg>\n");
    return fmt::to_string(out_);
  }

 private:
  static constexpr double left = 78, right = 24;

  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  // Entries side by side, as many as fit; returns the number of rows.
  int lay_out_legend() {
    double x = left;
    int row = 0;
    for (const series& s : chart_.series) {
      const auto letters = std::count_if(s.name.begin(), s.name.end(), [](char c) { return (c & 0xc0) != 0x80; });
      const double width = std::max(130.0, 52 + 7.2 * static_cast<double>(letters));
      if (x > left && x + width > chart_.width - right) {
        x = left;
        ++row;
      }
      legend_.push_back({x, static_cast<double>(row)});
      x += width;
    }
    return legend_.empty() ? 0 : row + 1;
  }
  int colour(std::size_t i) const {
    return (chart_.series[i].colour >= 0 ? chart_.series[i].colour : static_cast<int>(i)) % colours;
  }

  std::vector<double> values(double point::*which) const {
    std::vector<double> all;
    for (const series& s : chart_.series)
      for (const point& p : s.points) all.push_back(p.*which);
    return all;
  }

  void draw_axes() {
    for (const auto& t : y_.ticks()) {
      add("<line class=\"grid\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\"/>", left, t.at, chart_.width - right,
          t.at);
      add("<text class=\"small\" text-anchor=\"end\" x=\"{}\" y=\"{:.1f}\">{}</text>\n", left - 8, t.at + 4, t.label);
    }
    for (const auto& t : x_.ticks()) {
      add("<line class=\"axis\" x1=\"{:.1f}\" y1=\"{}\" x2=\"{:.1f}\" y2=\"{}\"/>", t.at, bottom_, t.at, bottom_ + 5);
      add("<text class=\"small\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", t.at, bottom_ + 19,
          t.label);
    }
    add("<line class=\"axis\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", left, bottom_, chart_.width - right,
        bottom_);
    add("<text text-anchor=\"middle\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", (left + chart_.width - right) / 2,
        bottom_ + 39, escaped(chart_.x.label));
    add("<text text-anchor=\"middle\" transform=\"translate(20 {:.1f}) rotate(-90)\">{}</text>\n", (top_ + bottom_) / 2,
        escaped(chart_.y.label));
  }

  void draw_series(const series& s, int c) {
    std::string path;
    for (const point& p : s.points) {
      if (!x_.shows(p.x) || !y_.shows(p.y)) continue;
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_.place(p.x), y_.place(p.y));
    }
    if (s.mark != mark::points && !path.empty())
      add("<path class=\"s{}{}\" d=\"{}\"/>\n", c, s.mark == mark::dashed ? " dashed" : "", path);
    if (s.mark != mark::points && s.mark != mark::both) return;
    const double radius = s.points.size() > 100 ? 1.6 : 3;
    for (const point& p : s.points) {
      if (!x_.shows(p.x) || !y_.shows(p.y)) continue;
      add("<circle class=\"d{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>", c, x_.place(p.x), y_.place(p.y), radius);
    }
    add("\n");
  }

  void draw_legend() {
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const double x = legend_[i].x, y = bottom_ + 60 + 20 * legend_[i].y;
      const mark m = chart_.series[i].mark;
      if (m != mark::points)
        add("<path class=\"s{}{}\" d=\"M{:.1f} {:.1f}h22\"/>", colour(i), m == mark::dashed ? " dashed" : "", x, y - 4);
      if (m == mark::points || m == mark::both)
        add("<circle class=\"d{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>", colour(i), x + 11, y - 4);
      add("<text class=\"small\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 28, y, escaped(chart_.series[i].name));
    }
  }

  const chart& chart_;
  std::vector<point> legend_;  // of each series: the pixel, and the row
  double top_, bottom_;
  ruler x_, y_;
  fmt::memory_buffer out_;
};

}  // namespace

std::string to_svg(const chart& c) { return drawing(c).draw(); }

void write_svg(const chart& c, const std::string& path) {
  std::ofstream out(path, std::ios::binary);
  out << to_svg(c);
  out.close();
  if (!out) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace heist::plot
