#include <cli/machine_options.hpp>
#include <cli/prediction.hpp>

#include <analysis/dag/shapes.hpp>
#include <analysis/plot/chart.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace heist::cli {

using analysis::recorded_run;

bool predict_settings::is_shape() const { return analysis::make_shape(file) != nullptr; }

bool predict_settings::only_flat() const { return std::ranges::count(stealing, "flat") == std::ssize(stealing); }

namespace {

// One curve for each way to steal, without those that are zero everywhere.
std::vector<plot::series> curves(const std::vector<prediction>& all, const predict_settings& with,
                                 const std::function<double(const prediction&)>& value) {
  std::vector<plot::series> made;
  for (const std::string& way : with.stealing) {
    plot::series s{way, {}};
    s.colour = static_cast<int>(&way - with.stealing.data());
    for (const prediction& p : all)
      if (p.stealing == way) s.points.push_back({double(p.workers), value(p)});
    if (std::ranges::any_of(s.points, [](const plot::point& p) { return p.y > 0; })) made.push_back(s);
  }
  return made;
}

}  // namespace

void draw_speed_up(const recorded_run& run, const std::vector<prediction>& all, double serial,
                   const predict_settings& with, const std::string& path) {
  plot::chart c{"Predicted speed-up", with.file, {"workers P", plot::scale::log2}, {"speed-up", plot::scale::log2}, {}};
  c.series = curves(all, with, [&](const prediction& p) { return serial / p.time; });
  if (c.series.size() == 1) c.series[0].name = "predicted";
  plot::series perfect{"perfect: P", {}, plot::mark::dashed, 5}, bound{"at most T₁/T∞", {}, plot::mark::dashed, 4};
  for (const std::uint32_t p : parse_counts(with.workers)) {
    perfect.points.push_back({double(p), double(p)});
    bound.points.push_back({double(p), run.work / run.span});
  }
  c.series.push_back(perfect);
  if (with.stealing.size() == 1) c.series.push_back(bound);
  plot::write_svg(c, path);
}

void draw_interrupts(const std::vector<prediction>& all, const predict_settings& with, const std::string& path) {
  plot::chart c{"Interrupts and requests",
                with.file + "; zeros are not drawn",
                {"workers P", plot::scale::log2},
                {"in the whole run", plot::scale::log10},
                {}};
  auto add = [&](const char* what, plot::mark mark, const std::function<double(const prediction&)>& value) {
    for (plot::series& s : curves(all, with, value)) {
      s.name += what;
      s.mark = mark;
      c.series.push_back(s);
    }
  };
  add(": interrupts", plot::mark::both, [](const prediction& p) { return p.interrupts; });
  add(": requests", plot::mark::line, [](const prediction& p) { return p.requests; });
  const auto first = std::ranges::find_if(all, [](const prediction& p) { return p.interrupts > 0; });
  plot::series square{"as P²", {}, plot::mark::dashed, 5};
  for (const std::uint32_t p : parse_counts(with.workers))
    if (first != all.end() && p >= first->workers)
      square.points.push_back({double(p), first->interrupts * double(p) * double(p) / std::pow(first->workers, 2)});
  c.series.push_back(square);
  plot::write_svg(c, path);
}

}  // namespace heist::cli
