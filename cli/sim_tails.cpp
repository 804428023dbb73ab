// heist sim tails: how often work stealing takes longer than it does on average.

#include <cli/machine_options.hpp>
#include <cli/progress.hpp>
#include <cli/sim.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/plot/chart.hpp>
#include <analysis/proof/statistics.hpp>
#include <analysis/sim/sweep.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>

namespace heist::cli {
namespace {

using namespace analysis;

struct tails_settings {
  std::string computation, plots;
  machine_options machine;
  std::uint64_t runs = 10'000;
  bool json = false;
};

int tails(const tails_settings& with) {
  if (with.runs < 10 || with.runs > 10'000'000) throw bad_input("runs must be from 10 to 10000000");
  const auto c = open_computation(with.computation);
  plot::chart chart{
      "T_P of many runs, against the probability of a longer one",
      fmt::format("{}, {} runs each; what exceeds T₁/P, for T∞ + lg P + lg(1/ε)", with.computation, with.runs),
      {"1/ε", plot::scale::log10},
      {"(T_P - T₁/P) / (T∞ + lg P + lg(1/ε))", plot::scale::linear, 0, 0},
      {}};
  nlohmann::json json = nlohmann::json::array();
  for (const options& o : with.machine.all()) {
    std::vector<options> all(with.runs, o);
    for (std::uint64_t i = 0; i < with.runs; ++i) all[i].seed = o.seed + i;
    std::vector<report> reports;
    {
      progress bar(fmt::format("P = {}", o.processors), with.runs);
      reports = sweep(*c, all, [&] { bar.step(); });
    }
    sample time;
    for (const report& r : reports) time.add(static_cast<double>(r.time));
    const measures& m = reports[0].of;
    const double p = o.processors, share = static_cast<double>(m.work) / p, span = static_cast<double>(m.span);
    if (!with.json)
      fmt::print(
          "{} on {} processors: T1/P {:.1f}, Tinf {}, lg P {:.1f}; T_P on average {:.1f} +- "
          "{:.1f}\n{:>12}{:>10}{:>26}{:>8}\n",
          with.computation, o.processors, share, m.span, std::log2(p), time.mean(), time.deviation(), "e", "T_P",
          "Tinf + lg P + lg(1/e)", "c");
    plot::series line{fmt::format("P = {}", o.processors), {}};
    nlohmann::json quantiles = nlohmann::json::array();
    for (double e = 0.5; e * static_cast<double>(with.runs) >= 5; e = e == 0.5 ? 0.1 : e / 10) {
      const double t = time.quantile(1 - e), scale = span + std::log2(p) + std::log2(1 / e),
                   factor = (t - share) / scale;
      if (!with.json) fmt::print("{:>12g}{:>10.0f}{:>26.1f}{:>8.3f}\n", e, t, scale, factor);
      line.points.push_back({1 / e, factor});
      quantiles.push_back({{"epsilon", e}, {"time", t}, {"c", factor}});
    }
    json.push_back({{"processors", o.processors},
                    {"mean", time.mean()},
                    {"deviation", time.deviation()},
                    {"quantiles", quantiles}});
    chart.series.push_back(line);
  }
  if (with.json) fmt::print("{}\n", json.dump(1));
  if (!with.plots.empty()) write_svg(chart, with.plots + "/tails.svg");
  return ok;
}

}  // namespace

void add_tails(CLI::App& sim, action& chosen) {
  CLI::App& app =
      *sim.add_subcommand("tails", "Compare quantiles of T_P over many runs with T1/P + c*(Tinf + lg P + lg(1/e))");
  auto with = std::make_shared<tails_settings>();
  app.add_option("computation", with->computation, "a file or a shape")->required();
  with->machine.add_to(app);
  app.add_option("--runs", with->runs, "the number of runs")->capture_default_str();
  app.add_option("--plots", with->plots, "write a plot, as an SVG file, to this folder")->check(CLI::ExistingDirectory);
  app.add_flag("--json", with->json, "print JSON");
  app.callback([with, &chosen] { chosen = [with] { return tails(*with); }; });
}

}  // namespace heist::cli
