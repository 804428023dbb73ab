#include <cli/cluster_charts.hpp>

#include <analysis/plot/chart.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

namespace heist::cli {
namespace {

// What tells the curves apart: only what is not the same in all points.
std::string name_of(const cluster_point& p, const std::vector<cluster_point>& all, bool over_latency) {
  const auto differs = [&](auto&& of) {
    return std::ranges::any_of(all, [&](const auto& q) { return of(q) != of(p); });
  };
  std::string name;
  const auto add = [&](const std::string& part) { name += (name.empty() ? "" : ", ") + part; };
  if (over_latency && differs([](const auto& q) { return q.options.machines; }))
    add(fmt::format("{} machines", p.options.machines));
  if (differs([](const auto& q) { return q.levels; })) add(p.levels == "flat" ? "flat" : "two levels");
  if (differs([](const auto& q) { return q.lifelines; })) add("lifelines " + p.lifelines);
  if (differs([](const auto& q) { return q.steal; })) add("steal " + p.steal);
  return name.empty() ? "simulated" : name;
}

void draw(const std::vector<cluster_point>& all, const std::string& path, const std::string& title, plot::axis y,
          const std::function<double(const cluster_point&)>& value) {
  std::set<double> latencies;
  for (const cluster_point& p : all) latencies.insert(p.options.latency);
  const bool over_latency = latencies.size() > 1;
  const clusters::options& o = all[0].options;
  std::string of = fmt::format("{:g} nodes of {:g} µs, machines of {} cores", double(o.nodes), o.node, o.cores);
  if (!over_latency) of += fmt::format(", latency {:g} ms", o.latency / 1'000);
  plot::chart c{title, of, {over_latency ? "latency, ms" : "machines P", plot::scale::log10}, std::move(y), {}};
  for (const cluster_point& p : all) {
    const std::string name = name_of(p, all, over_latency);
    auto s = std::ranges::find(c.series, name, &plot::series::name);
    if (s == c.series.end()) s = c.series.insert(s, {name, {}});
    s->points.push_back({over_latency ? p.options.latency / 1'000 : p.options.machines, value(p)});
  }
  plot::write_svg(c, path);
}

}  // namespace

cluster_means mean(const clusters::report* first, std::size_t seeds) {
  cluster_means m;
  const auto n = double(seeds);
  for (const clusters::report* r = first; r != first + seeds; ++r) {
    m.time += r->time / n;
    m.spread += r->spread / n;
    m.path += r->path / n;
    m.lost += r->lost / n;
    m.loans += double(r->loans) / n;
    m.messages += double(r->messages) / n;
    m.bytes += double(r->bytes) / n;
    m.busiest += double(r->busiest) / n;
    m.most_handled += double(r->most_handled) / n;
    m.deaths += double(r->deaths) / n;
  }
  return m;
}

void draw_efficiency(const std::vector<cluster_point>& all, const std::string& path) {
  draw(all, path, "Efficiency of a simulated cluster", {"T₁ / (P·C·T)", plot::scale::linear, 0, 1},
       [](const cluster_point& p) { return p.efficiency(); });
}

void draw_bytes(const std::vector<cluster_point>& all, const std::string& path) {
  draw(all, path, "Bytes of a simulated cluster, against their bound",
       {"bytes / P·T∞·(1 + n_d)·S_max", plot::scale::linear, 0, 0},
       [](const cluster_point& p) { return p.bytes_constant(); });
}

}  // namespace heist::cli
