#include <cli/sweep_charts.hpp>

#include <analysis/plot/chart.hpp>

#include <algorithm>
#include <functional>

namespace heist::cli {
namespace {

using namespace plot;

std::string name(const sweep_point& s, const std::vector<sweep_point>& all) {
  auto same = [&](auto member) {
    return std::all_of(all.begin(), all.end(), [&](const sweep_point& o) { return o.*member == all[0].*member; });
  };
  if (same(&sweep_point::scheduler)) return s.computation;
  return same(&sweep_point::computation) ? s.scheduler : s.computation + ", " + s.scheduler;
}

std::vector<series> curves(const std::vector<sweep_point>& points,
                           const std::function<double(const sweep_point&)>& value) {
  std::vector<series> all;
  for (const sweep_point& s : points) {
    const std::string n = name(s, points);
    if (all.empty() || all.back().name != n) all.push_back({n, {}});
    all.back().points.push_back({double(s.processors), value(s)});
  }
  return all;
}

chart on_processors(std::string title, std::string subtitle, std::string label, plot::scale y) {
  return {std::move(title), std::move(subtitle), {"processors P", scale::log2}, {std::move(label), y, 1, 0}, {}};
}

}  // namespace

void write_charts(const std::vector<sweep_point>& points, const std::string& folder) {
  chart c = on_processors("Speed-up", "T₁/T_P", "speed-up", scale::log2);
  c.series = curves(points, [](const sweep_point& s) { return s.speed_up(); });
  series perfect{"perfect: P", {}, mark::dashed, 5};
  for (const point& p : c.series[0].points) perfect.points.push_back({p.x, p.x});
  c.series.push_back(perfect);
  write_svg(c, folder + "/speedup.svg");

  c = on_processors("Time against the greedy bound", "T_P / (T₁/P + T∞); a greedy scheduler is never above 1",
                    "T_P / (T₁/P + T∞)", scale::linear);
  c.y.low = 0.5, c.y.high = 1;
  c.series = curves(points, [](const sweep_point& s) { return s.time_ratio; });
  write_svg(c, folder + "/time.svg");

  const bool bounded =
      std::all_of(points.begin(), points.end(), [](const sweep_point& s) { return s.space_ratio() <= 1; });
  c = on_processors("Space against P times the serial space", "S_P / (P·S₁); the largest of the runs", "S_P / (P·S₁)",
                    bounded ? scale::linear : scale::log10);
  c.y.low = bounded ? 0 : 0.1, c.y.high = 1;
  c.series = curves(points, [](const sweep_point& s) { return s.space_ratio(); });
  write_svg(c, folder + "/space.svg");

  std::vector<sweep_point> parallel;
  std::copy_if(points.begin(), points.end(), std::back_inserter(parallel),
               [](const sweep_point& s) { return s.processors > 1; });
  if (parallel.empty()) return;
  c = on_processors("Steal attempts for each processor and step of the critical path", "attempts / (P·T∞)",
                    "attempts / (P·T∞)", scale::linear);
  c.y.low = 0, c.y.high = 1;
  c.series = curves(parallel, [](const sweep_point& s) { return s.attempts / s.scale(); });
  write_svg(c, folder + "/steals.svg");

  c = on_processors("Communication", "bytes against P·T∞·(1 + n_d)·S_max; sharing against T₁·S_max", "bytes / bound",
                    scale::log10);
  c.series = curves(parallel, [](const sweep_point& s) { return s.bytes / s.bytes_bound(); });
  write_svg(c, folder + "/communication.svg");
}

}  // namespace heist::cli
