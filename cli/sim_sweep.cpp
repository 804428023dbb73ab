// heist sim sweep: computations under schedulers on ever more processors, averaged over seeds; tables and plots.

#include <cli/computation_option.hpp>
#include <cli/machine_options.hpp>
#include <cli/progress.hpp>
#include <cli/sim.hpp>
#include <cli/sweep_charts.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/sim/sweep.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace heist::cli {
namespace {

using namespace analysis;

struct sweep_settings {
  std::vector<std::string> computations;
  computation_option recordings;
  machine_options machine;
  std::uint64_t seeds = 10;
  std::string plots;
  bool json = false;
};

sweep_point average(const std::string& computation, const analysis::options& o, const std::vector<report>& reports) {
  sweep_point s{computation, to_string(o.policy), o.processors, reports[0].of, 0, 0, 0, 0, 0, 0, 0};
  const auto n = static_cast<double>(reports.size());
  for (const report& r : reports) {
    s.time += static_cast<double>(r.time) / n;
    s.time_ratio += r.time_ratio(o.processors) / n;
    s.space = std::max(s.space, static_cast<double>(r.space));
    s.attempts += static_cast<double>(r.attempts) / n;
    s.steals += static_cast<double>(r.steals) / n;
    s.bytes += static_cast<double>(r.bytes) / n;
    s.used += static_cast<double>(r.work) / static_cast<double>(r.granted) / n;
  }
  return s;
}

void print(const std::vector<sweep_point>& points) {
  std::string last;
  for (const sweep_point& s : points) {
    if (s.computation != last) {
      fmt::print(
          "{}{}: T1 {}, Tinf {}, parallelism {:.1f}, S1 {}, n_d {}, Smax "
          "{}\n{:<15}{:>8}{:>13}{:>10}{:>9}{:>8}{:>10}{:>10}{:>9}{:>13}{:>9}\n",
          last.empty() ? "" : "\n", s.computation, s.of.work, s.of.span, s.of.parallelism(), s.of.stack, s.of.joins,
          s.of.frame, "scheduler", "P", "T_P", "speed-up", "T/bound", "WORK", "S/(P*S1)", "attempts", "steals", "bytes",
          "bytes");
      fmt::print("{:<15}{:>8}{:>13}{:>10}{:>9}{:>8}{:>10}{:>10}{:>9}{:>13}{:>9}\n", "", "", "", "", "", "", "",
                 "/(P*Tinf)", "/(P*Tinf)", "", "/bound");
      last = s.computation;
    }
    fmt::print("{:<15}{:>8}{:>13.1f}{:>10.2f}{:>9.3f}{:>7.1f}%{:>10.3f}{:>10.3f}{:>9.3f}{:>13.0f}{:>9.4f}\n",
               s.scheduler, s.processors, s.time, s.speed_up(), s.time_ratio, 100 * s.used, s.space_ratio(),
               s.attempts / s.scale(), s.steals / s.scale(), s.bytes, s.bytes / s.bytes_bound());
  }
  fmt::print(
      "\nT/bound: against T1/P + Tinf. S: the largest of the seeds. bytes/bound: against P*Tinf*(1 + n_d)*Smax, for "
      "sharing T1*Smax.\n");
}

int run_sweep(const sweep_settings& with) {
  if (with.seeds < 1 || with.seeds > 1'000'000) throw bad_input("seeds must be from 1 to 1000000");
  const std::vector<analysis::options> machines = with.machine.all();
  std::vector<sweep_point> points;
  double seconds = 0, steps = 0;
  for (const std::string& name : with.computations) {
    const auto c = with.recordings.open(name).what;
    std::vector<analysis::options> all;
    for (analysis::options o : machines)
      for (std::uint64_t i = 0; i < with.seeds; ++i, ++o.seed) all.push_back(o);
    std::vector<report> reports;
    {
      progress bar(name, all.size());
      reports = sweep(*c, all, [&] { bar.step(); });
    }
    for (std::size_t i = 0; i < machines.size(); ++i) {
      const auto begin = reports.begin() + static_cast<std::ptrdiff_t>(i * with.seeds);
      points.push_back(average(name, machines[i], {begin, begin + static_cast<std::ptrdiff_t>(with.seeds)}));
    }
    for (const report& r : reports) {
      seconds += r.seconds;
      steps += static_cast<double>(r.granted);
    }
  }
  if (!with.plots.empty()) write_charts(points, with.plots);
  if (with.json) {
    nlohmann::json json = nlohmann::json::array();
    for (const sweep_point& s : points)
      json.push_back({{"computation", s.computation},
                      {"scheduler", s.scheduler},
                      {"processors", s.processors},
                      {"time", s.time},
                      {"speed_up", s.speed_up()},
                      {"time_ratio", s.time_ratio},
                      {"space", s.space},
                      {"space_ratio", s.space_ratio()},
                      {"attempts", s.attempts},
                      {"steals", s.steals},
                      {"bytes", s.bytes},
                      {"used", s.used},
                      {"work", s.of.work},
                      {"span", s.of.span}});
    fmt::print("{}\n", json.dump(1));
    return ok;
  }
  print(points);
  fmt::print("{:.3g} processor-steps, {:.3g} a second on a core.\n", steps, steps / seconds);
  return ok;
}

}  // namespace

void add_sweep(CLI::App& sim, action& chosen) {
  CLI::App& app = *sim.add_subcommand(
      "sweep", "Simulate computations on more and more processors, averaged over seeds; print tables, make plots");
  auto with = std::make_shared<sweep_settings>();
  with->machine.processors = {"1..256"};
  app.add_option("computations", with->computations, "files, shapes or recordings (heist record)")->required();
  with->recordings.add_recording_options(app);
  with->machine.add_to(app);
  app.add_option("--seeds", with->seeds, "runs to average over")->capture_default_str();
  app.add_option("--plots", with->plots, "write SVG files to this folder: speedup, time, space, steals, communication")
      ->check(CLI::ExistingDirectory);
  app.add_flag("--json", with->json, "print JSON");
  app.footer("Example:\n  heist sim sweep fib:25 uts:500 -p 1..4096 --plots .");
  app.callback([with, &chosen] { chosen = [with] { return run_sweep(*with); }; });
}

}  // namespace heist::cli
