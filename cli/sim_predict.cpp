// heist sim predict: a recorded run on ever more simulated workers.

#include <cli/costs.hpp>
#include <cli/machine_options.hpp>
#include <cli/progress.hpp>
#include <cli/sim.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/plot/chart.hpp>
#include <analysis/replay/replay.hpp>
#include <heist/for_each.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <mutex>
#include <optional>

namespace heist::cli {
namespace {

using namespace analysis;

struct predict_settings {
  std::string file;
  std::vector<std::string> workers = {"1..1024"};
  std::uint64_t seeds = 5, seed = 1;
  std::optional<double> fork, spawn, steal, resume, wake;
  std::string plot;
  bool json = false;
};

// On so many workers, the mean of all seeds.
struct prediction {
  std::uint32_t workers;
  double time = 0, least = 0, most = 0, busy = 0, steals = 0, suspends = 0;
};

measured_costs costs_of(const predict_settings& with) {
  const bool steals_given = with.steal && with.resume && with.wake;
  measured_costs all;
  if (!(steals_given && with.fork && with.spawn)) all = measure_costs();
  all.steals_guessed = all.steals_guessed && !steals_given;
  machine_costs& c = all.costs;
  c.fork = with.fork.value_or(c.fork);
  c.spawn = with.spawn.value_or(c.spawn);
  c.steal = with.steal.value_or(c.steal);
  c.resume = with.resume.value_or(c.resume);
  c.wake = with.wake.value_or(c.wake);
  return all;
}

std::vector<prediction> predict(const recorded_run& run, const machine_costs& costs, const predict_settings& with) {
  const std::vector<std::uint32_t> counts = parse_counts(with.workers);
  const std::size_t seeds = with.seeds;
  std::vector<replayed> runs(counts.size() * seeds);
  {
    progress bar(with.file, runs.size());
    std::mutex lock;
    for_each_index(std::size_t{0}, runs.size(), [&](std::size_t i) {
      runs[i] = replay(run, costs, counts[i / seeds], with.seed + i % seeds);
      const std::lock_guard hold(lock);
      bar.step();
    });
  }
  std::vector<prediction> all;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    prediction p{counts[i]};
    const auto n = static_cast<double>(seeds);
    p.least = runs[i * seeds].time;
    for (std::size_t k = i * seeds; k < (i + 1) * seeds; ++k) {
      p.time += runs[k].time / n;
      p.least = std::min(p.least, runs[k].time);
      p.most = std::max(p.most, runs[k].time);
      p.busy += runs[k].busy / n;
      p.steals += static_cast<double>(runs[k].steals) / n;
      p.suspends += static_cast<double>(runs[k].suspends) / n;
    }
    all.push_back(p);
  }
  return all;
}

void print(const recorded_run& run, const measured_costs& costs, const std::vector<prediction>& all, double serial) {
  const machine_costs& c = costs.costs;
  fmt::print("work {:.6g} ms, span {:.4g} ms, parallelism {:.1f}, {} forks; what ran outside pools is not counted\n",
             run.work / 1e6, run.span / 1e6, run.span > 0 ? run.work / run.span : 1, run.all_forks);
  fmt::print("a fork {:.1f} ns, a spawn {:.1f} ns, a steal {:.1f} us, a resumption {:.1f} us, waking {:.1f} us\n",
             c.fork, c.spawn, c.steal / 1e3, c.resume / 1e3, c.wake / 1e3);
  if (costs.steals_guessed)
    fmt::print(
        "the cost of a steal is a guess, because no second core was available; pass --steal, --resume and --wake\n");
  fmt::print("\n");
  fmt::print("{:>8}{:>14}{:>10}{:>10}{:>12}{:>12}\n", "workers", "time, ms", "speed-up", "busy", "steals", "suspends");
  for (const prediction& p : all)
    fmt::print("{:>8}{:>14.3f}{:>10.2f}{:>9.1f}%{:>12.0f}{:>12.0f}\n", p.workers, p.time / 1e6, serial / p.time,
               100 * p.busy / (p.time * p.workers), p.steals, p.suspends);
}

nlohmann::json as_json(const recorded_run& run, const measured_costs& costs, const std::vector<prediction>& all,
                       double serial) {
  const machine_costs& c = costs.costs;
  nlohmann::json points = nlohmann::json::array();
  for (const prediction& p : all)
    points.push_back({{"workers", p.workers},
                      {"ns", p.time},
                      {"least_ns", p.least},
                      {"most_ns", p.most},
                      {"speed_up", serial / p.time},
                      {"busy", p.busy / (p.time * p.workers)},
                      {"steals", p.steals},
                      {"suspends", p.suspends}});
  return {{"heist_prediction", 1},
          {"work", run.work},
          {"span", run.span},
          {"forks", run.all_forks},
          {"costs", {{"fork", c.fork}, {"spawn", c.spawn}, {"steal", c.steal}, {"resume", c.resume}, {"wake", c.wake}}},
          {"steal_costs_guessed", costs.steals_guessed},
          {"predictions", points}};
}

void draw(const recorded_run& run, const std::vector<prediction>& all, double serial, const predict_settings& with) {
  plot::chart c{"Predicted speed-up", with.file, {"workers P", plot::scale::log2}, {"speed-up", plot::scale::log2}, {}};
  plot::series predicted{"predicted", {}}, perfect{"perfect: P", {}, plot::mark::dashed, 5},
      bound{"at most T₁/T∞", {}, plot::mark::dashed, 4};
  for (const prediction& p : all) {
    predicted.points.push_back({double(p.workers), serial / p.time});
    perfect.points.push_back({double(p.workers), double(p.workers)});
    bound.points.push_back({double(p.workers), run.work / run.span});
  }
  c.series = {predicted, perfect, bound};
  plot::write_svg(c, with.plot);
}

int run_predict(const predict_settings& with) {
  if (with.seeds < 1 || with.seeds > 10'000) throw bad_input("seeds must be from 1 to 10000");
  const recorded_run run = read_recording(with.file);
  if (run.work <= 0) throw bad_input(with.file + ": nothing was recorded; did the program use heist?");
  const measured_costs costs = costs_of(with);
  const std::vector<prediction> all = predict(run, costs.costs, with);
  const double serial = replay(run, costs.costs, 1, with.seed).time;
  if (!with.plot.empty()) draw(run, all, serial, with);
  if (with.json)
    fmt::print("{}\n", as_json(run, costs, all, serial).dump(1));
  else
    print(run, costs, all, serial);
  return ok;
}

}  // namespace

void add_predict(CLI::App& sim, action& chosen) {
  CLI::App& app =
      *sim.add_subcommand("predict", "Replay a recording on more and more workers; print the speed-up to expect");
  auto with = std::make_shared<predict_settings>();
  app.add_option("recording", with->file, "a file that heist record or HEIST_RECORD wrote")->required();
  app.add_option("-p,--workers", with->workers, "numbers such as 1,2,8, or 1..1024 for powers of two")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--seeds", with->seeds, "runs to average over")->capture_default_str();
  app.add_option("--seed", with->seed, "the first seed")->capture_default_str();
  const auto cost = [&](const char* name, std::optional<double>& value, const char* what) {
    app.add_option(name, value, fmt::format("{}, in ns; by default as measured on this machine", what))
        ->check(CLI::NonNegativeNumber);
  };
  cost("--fork", with->fork, "the cost of a fork that nobody steals");
  cost("--spawn", with->spawn, "the cost of a spawn that nobody steals");
  cost("--steal", with->steal, "the time of a steal");
  cost("--resume", with->resume, "the time to resume a strand after a wait");
  cost("--wake", with->wake, "the time to wake a worker");
  app.add_option("--plot", with->plot, "write a plot of the speed-up to this SVG file");
  app.add_flag("--json", with->json, "print JSON");
  app.footer(
      "Examples:\n"
      "  heist record -w 1 -- ./program\n"
      "  heist sim predict heist.recording --plot speedup.svg\n"
      "  heist sim predict heist.recording -p 48,96 --steal 500 --wake 20000");
  app.callback([with, &chosen] { chosen = [with] { return run_predict(*with); }; });
}

}  // namespace heist::cli
