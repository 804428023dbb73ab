// heist sim tails: how often work stealing takes longer than it does on average.

#include <cli/computation_option.hpp>
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
#include <iterator>
#include <memory>

namespace heist::cli {
namespace {

using namespace analysis;
using analysis::report;

struct tails_settings {
  computation_option computation;
  std::string plots;
  machine_options machine;
  std::uint64_t runs = 10'000;
  bool json = false;
};

// What a tail bound is about: a figure of a run, and what it grows with but for a constant.
struct tail {
  const char* name;
  double (*seen)(const report& r, double p);
  double (*scale)(const measures& m, double p, double lg);  // lg: lg(1/e)
};

double span_of(const measures& m) { return static_cast<double>(m.span); }

constexpr tail kinds[] = {
    {"time", [](const report& r, double p) { return static_cast<double>(r.time) - static_cast<double>(r.of.work) / p; },
     [](const measures& m, double p, double lg) { return span_of(m) + std::log2(p) + lg; }},
    {"attempts", [](const report& r, double) { return static_cast<double>(r.attempts); },
     [](const measures& m, double p, double lg) { return p * (span_of(m) + lg); }},
    {"bytes", [](const report& r, double) { return static_cast<double>(r.bytes); },
     [](const measures& m, double p, double lg) {
       return p * (span_of(m) + lg) * static_cast<double>((1 + m.joins) * m.frame);
     }},
};
constexpr std::size_t kinds_count = std::size(kinds);

struct quantile_row {
  double epsilon;
  double value[kinds_count], c[kinds_count];  // c: value / scale
};

std::vector<quantile_row> rows(const std::vector<report>& reports, double p) {
  sample values[kinds_count];
  for (const report& r : reports)
    for (std::size_t k = 0; k < kinds_count; ++k) values[k].add(kinds[k].seen(r, p));
  std::vector<quantile_row> made;
  for (double e = 0.5; e * static_cast<double>(reports.size()) >= 5; e = e == 0.5 ? 0.1 : e / 10) {
    quantile_row row{e, {}, {}};
    for (std::size_t k = 0; k < kinds_count; ++k) {
      row.value[k] = values[k].quantile(1 - e);
      row.c[k] = row.value[k] / kinds[k].scale(reports[0].of, p, std::log2(1 / e));
    }
    made.push_back(row);
  }
  return made;
}

void print(const std::vector<quantile_row>& made, double share) {
  fmt::print("{:>12}{:>10}{:>8}{:>14}{:>8}{:>14}{:>8}\n", "e", "T_P", "c", "attempts", "c", "bytes", "c");
  for (const quantile_row& r : made)
    fmt::print("{:>12g}{:>10.0f}{:>8.3f}{:>14.0f}{:>8.3f}{:>14.0f}{:>8.3f}\n", r.epsilon, r.value[0] + share, r.c[0],
               r.value[1], r.c[1], r.value[2], r.c[2]);
}

int tails(const tails_settings& with) {
  if (with.runs < 10 || with.runs > 10'000'000) throw bad_input("runs must be from 10 to 10000000");
  const opened_computation opened = with.computation.open();
  plot::chart times{
      "T_P of many runs, against the probability of a longer one",
      fmt::format("{}, {} runs each; what exceeds T₁/P, for T∞ + lg P + lg(1/ε)", with.computation.name, with.runs),
      {"1/ε", plot::scale::log10},
      {"(T_P - T₁/P) / (T∞ + lg P + lg(1/ε))", plot::scale::linear, 0, 0},
      {}};
  plot::chart others{"Steal attempts and bytes of many runs, against the probability of more",
                     fmt::format("{}, {} runs each", with.computation.name, with.runs),
                     {"1/ε", plot::scale::log10},
                     {"attempts, bytes / their bounds", plot::scale::linear, 0, 0},
                     {}};
  nlohmann::json json = nlohmann::json::array();
  for (const analysis::options& o : with.machine.all()) {
    std::vector<analysis::options> all(with.runs, o);
    for (std::uint64_t i = 0; i < with.runs; ++i) all[i].seed = o.seed + i;
    std::vector<report> reports;
    {
      progress bar(fmt::format("P = {}", o.processors), with.runs);
      reports = sweep(*opened.what, all, [&] { bar.step(); });
    }
    sample time, attempts, bytes;
    for (const report& r : reports) {
      time.add(static_cast<double>(r.time));
      attempts.add(static_cast<double>(r.attempts));
      bytes.add(static_cast<double>(r.bytes));
    }
    const measures& m = reports[0].of;
    const double p = o.processors, share = static_cast<double>(m.work) / p;
    const std::vector<quantile_row> made = rows(reports, p);
    if (!with.json) {
      fmt::print(
          "{} on {} processors: T1/P {:.1f}, Tinf {}, lg P {:.1f}, n_d {}, Smax {}\n"
          "on average: T_P {:.1f} +- {:.1f}, {:.1f} +- {:.1f} attempts, {:.1f} +- {:.1f} bytes\n",
          with.computation.name, o.processors, share, m.span, std::log2(p), m.joins, m.frame, time.mean(),
          time.deviation(), attempts.mean(), attempts.deviation(), bytes.mean(), bytes.deviation());
      print(made, share);
    }
    plot::series lines[kinds_count];
    nlohmann::json quantiles = nlohmann::json::array();
    for (const quantile_row& r : made) {
      for (std::size_t k = 0; k < kinds_count; ++k) lines[k].points.push_back({1 / r.epsilon, r.c[k]});
      quantiles.push_back({{"epsilon", r.epsilon},
                           {"time", r.value[0] + share},
                           {"c", r.c[0]},
                           {"attempts", r.value[1]},
                           {"attempts_c", r.c[1]},
                           {"bytes", r.value[2]},
                           {"bytes_c", r.c[2]}});
    }
    json.push_back({{"processors", o.processors},
                    {"mean", time.mean()},
                    {"deviation", time.deviation()},
                    {"attempts_mean", attempts.mean()},
                    {"bytes_mean", bytes.mean()},
                    {"quantiles", quantiles}});
    lines[0].name = fmt::format("P = {}", o.processors);
    times.series.push_back(lines[0]);
    for (std::size_t k = 1; k < kinds_count; ++k) {
      lines[k].name = fmt::format("{}, P = {}", kinds[k].name, o.processors);
      others.series.push_back(lines[k]);
    }
  }
  if (with.json) {
    fmt::print("{}\n", json.dump(1));
  } else {
    fmt::print(
        "c: of (T_P - T1/P)/(Tinf + lg P + lg(1/e)), attempts/(P*(Tinf + lg(1/e))),\n"
        "   bytes/(P*(Tinf + lg(1/e))*(1 + n_d)*Smax)\n");
  }
  if (!with.plots.empty()) {
    write_svg(times, with.plots + "/tails.svg");
    write_svg(others, with.plots + "/tails_steals.svg");
  }
  return ok;
}

}  // namespace

void add_tails(CLI::App& sim, action& chosen) {
  CLI::App& app = *sim.add_subcommand(
      "tails", "Compare quantiles of T_P, steal attempts and bytes over many runs with their bounds");
  auto with = std::make_shared<tails_settings>();
  with->computation.add_to(app);
  with->machine.add_to(app);
  app.add_option("--runs", with->runs, "the number of runs")->capture_default_str();
  app.add_option("--plots", with->plots, "write plots, as SVG files, to this folder")->check(CLI::ExistingDirectory);
  app.add_flag("--json", with->json, "print JSON");
  app.callback([with, &chosen] { chosen = [with] { return tails(*with); }; });
}

}  // namespace heist::cli
