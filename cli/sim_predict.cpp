// heist sim predict: a recorded run, or an invented one, on ever more simulated workers.

#include <cli/costs.hpp>
#include <cli/machine_options.hpp>
#include <cli/progress.hpp>
#include <cli/sim.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/dag/shapes.hpp>
#include <analysis/plot/chart.hpp>
#include <analysis/replay/invented.hpp>
#include <analysis/replay/replay.hpp>
#include <heist/for_each.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace heist::cli {
namespace {

using namespace analysis;

const std::map<std::string, stealing> ways = {
    {"flat", stealing::flat}, {"fence", stealing::fence}, {"ask", stealing::ask}};

struct predict_settings {
  std::string file;
  std::vector<std::string> workers = {"1..1024"}, stealing = {"flat"};
  std::uint64_t seeds = 5, seed = 1;
  double step = 100;
  std::optional<double> fork, spawn, steal, claim, fence, interrupt, answer, resume, wake;
  std::string plot, interrupts_plot;
  bool json = false, queue = false;

  bool is_shape() const { return make_shape(file) != nullptr; }
  bool only_flat() const { return std::ranges::count(stealing, "flat") == std::ssize(stealing); }
};

// One way to steal, on so many workers; the mean of all seeds.
struct prediction {
  std::string stealing;
  std::uint32_t workers;
  double time = 0, least = 0, most = 0, busy = 0, steals = 0, suspends = 0;
  double requests = 0, answers = 0, fences = 0, interrupts = 0;
};

measured_costs costs_of(const predict_settings& with) {
  const bool flat = std::ranges::count(with.stealing, "flat") > 0;
  const bool steals_given = (with.steal || !flat) && with.resume && with.wake;
  measured_costs all;
  if (!(steals_given && with.fork && with.spawn)) all = measure_costs();
  all.steals_guessed = all.steals_guessed && !steals_given;
  machine_costs& c = all.costs;
  c.fork = with.fork.value_or(c.fork);
  c.spawn = with.spawn.value_or(c.spawn);
  c.steal = with.steal.value_or(c.steal);
  c.claim = with.claim.value_or(c.claim);
  c.fence = with.fence.value_or(c.fence);
  c.interrupt = with.interrupt.value_or(c.interrupt);
  c.answer = with.answer.value_or(c.fence / 4);
  c.fences_queue = with.queue;
  c.resume = with.resume.value_or(c.resume);
  c.wake = with.wake.value_or(c.wake);
  return all;
}

recorded_run open_run(const predict_settings& with) {
  if (with.is_shape()) return invent_run(*make_shape(with.file), with.step);
  recorded_run run = read_recording(with.file);
  if (run.work <= 0) throw bad_input(with.file + ": nothing was recorded; did the program use heist?");
  return run;
}

prediction mean(const replayed* first, std::size_t seeds) {
  prediction p;
  const auto n = static_cast<double>(seeds);
  p.least = first->time;
  for (const replayed* r = first; r != first + seeds; ++r) {
    p.time += r->time / n;
    p.least = std::min(p.least, r->time);
    p.most = std::max(p.most, r->time);
    p.busy += r->busy / n;
    p.steals += static_cast<double>(r->steals) / n;
    p.suspends += static_cast<double>(r->suspends) / n;
    p.requests += static_cast<double>(r->requests) / n;
    p.answers += static_cast<double>(r->answers) / n;
    p.fences += static_cast<double>(r->fences) / n;
    p.interrupts += static_cast<double>(r->interrupts) / n;
  }
  return p;
}

std::vector<prediction> predict(const recorded_run& run, const machine_costs& costs, const predict_settings& with) {
  const std::vector<std::uint32_t> counts = parse_counts(with.workers);
  const std::size_t seeds = with.seeds, rows = with.stealing.size() * counts.size();
  auto way = [&](std::size_t row) { return with.stealing[row / counts.size()]; };
  auto workers = [&](std::size_t row) { return counts[row % counts.size()]; };
  std::vector<replayed> runs(rows * seeds);
  {
    progress bar(with.file, runs.size());
    std::mutex lock;
    for_each_index(std::size_t{0}, runs.size(), [&](std::size_t i) {
      runs[i] = replay(run, costs, workers(i / seeds), with.seed + i % seeds, ways.at(way(i / seeds)));
      const std::lock_guard hold(lock);
      bar.step();
    });
  }
  std::vector<prediction> all;
  for (std::size_t row = 0; row < rows; ++row) {
    all.push_back(mean(&runs[row * seeds], seeds));
    all.back().stealing = way(row);
    all.back().workers = workers(row);
  }
  return all;
}

void print_costs(const recorded_run& run, const measured_costs& costs, const predict_settings& with) {
  const machine_costs& c = costs.costs;
  fmt::print("work {:.6g} ms, span {:.4g} ms, parallelism {:.1f}, {} forks{}\n", run.work / 1e6, run.span / 1e6,
             run.span > 0 ? run.work / run.span : 1, run.all_forks,
             with.is_shape() ? "" : "; what ran outside pools is not counted");
  fmt::print("a fork {:.1f} ns, a spawn {:.1f} ns, a steal {:.1f} us, a resumption {:.1f} us, waking {:.1f} us\n",
             c.fork, c.spawn, c.steal / 1e3, c.resume / 1e3, c.wake / 1e3);
  if (!with.only_flat())
    fmt::print(
        "fence, ask: a claim {:.1f} us, a heavy fence {:.1f} us, an interrupt {:.1f} us, an answer within {:.1f} "
        "us{}\n",
        c.claim / 1e3, c.fence / 1e3, c.interrupt / 1e3, c.answer / 1e3, c.fences_queue ? "; fences queue" : "");
  if (costs.steals_guessed)
    fmt::print(
        "the cost of a steal is a guess, because no second core was available; pass --steal, --resume and --wake\n");
}

void print(const std::vector<prediction>& all, double serial, const predict_settings& with) {
  const bool flat = with.only_flat();
  fmt::print("\n{:>8}{:>14}{:>10}{:>10}{:>12}{:>12}", "workers", "time, ms", "speed-up", "busy", "steals", "suspends");
  fmt::print(
      "{}\n",
      flat ? "" : fmt::format("{:>12}{:>12}{:>12}{:>14}  stealing", "requests", "answers", "fences", "interrupts"));
  for (const prediction& p : all) {
    fmt::print("{:>8}{:>14.3f}{:>10.2f}{:>9.1f}%{:>12.0f}{:>12.0f}", p.workers, p.time / 1e6, serial / p.time,
               100 * p.busy / (p.time * p.workers), p.steals, p.suspends);
    if (!flat)
      fmt::print("{:>12.0f}{:>12.0f}{:>12.0f}{:>14.0f}  {}", p.requests, p.answers, p.fences, p.interrupts, p.stealing);
    fmt::print("\n");
  }
}

nlohmann::json as_json(const recorded_run& run, const measured_costs& costs, const std::vector<prediction>& all,
                       double serial) {
  const machine_costs& c = costs.costs;
  nlohmann::json points = nlohmann::json::array();
  for (const prediction& p : all)
    points.push_back({{"stealing", p.stealing},
                      {"workers", p.workers},
                      {"ns", p.time},
                      {"least_ns", p.least},
                      {"most_ns", p.most},
                      {"speed_up", serial / p.time},
                      {"busy", p.busy / (p.time * p.workers)},
                      {"steals", p.steals},
                      {"suspends", p.suspends},
                      {"requests", p.requests},
                      {"answers", p.answers},
                      {"fences", p.fences},
                      {"interrupts", p.interrupts}});
  return {{"heist_prediction", 1},
          {"work", run.work},
          {"span", run.span},
          {"forks", run.all_forks},
          {"costs",
           {{"fork", c.fork},
            {"spawn", c.spawn},
            {"steal", c.steal},
            {"claim", c.claim},
            {"fence", c.fence},
            {"interrupt", c.interrupt},
            {"answer", c.answer},
            {"fences_queue", c.fences_queue},
            {"resume", c.resume},
            {"wake", c.wake}}},
          {"steal_costs_guessed", costs.steals_guessed},
          {"predictions", points}};
}

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

// Interrupts, requests, and the square of P for comparison, from the first point on.
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

int run_predict(const predict_settings& with) {
  if (with.seeds < 1 || with.seeds > 10'000) throw bad_input("seeds must be from 1 to 10000");
  const recorded_run run = open_run(with);
  const measured_costs costs = costs_of(with);
  const std::vector<prediction> all = predict(run, costs.costs, with);
  const double serial = replay(run, costs.costs, 1, with.seed).time;
  if (!with.plot.empty()) draw_speed_up(run, all, serial, with, with.plot);
  if (!with.interrupts_plot.empty()) draw_interrupts(all, with, with.interrupts_plot);
  if (with.json) {
    fmt::print("{}\n", as_json(run, costs, all, serial).dump(1));
    return ok;
  }
  print_costs(run, costs, with);
  print(all, serial, with);
  return ok;
}

}  // namespace

void add_predict(CLI::App& sim, action& chosen) {
  CLI::App& app =
      *sim.add_subcommand("predict", "Replay a recording on more and more workers; print the speed-up to expect");
  auto with = std::make_shared<predict_settings>();
  app.add_option("recording", with->file,
                 "a file that heist record or HEIST_RECORD wrote, or a shape (see heist sim --help)")
      ->required();
  app.add_option("-p,--workers", with->workers, "numbers such as 1,2,8, or 1..1024 for powers of two")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--seeds", with->seeds, "runs to average over")->capture_default_str();
  app.add_option("--seed", with->seed, "the first seed")->capture_default_str();
  app.add_option("--step", with->step, "the time of an instruction of a shape, in ns")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option(
         "--stealing", with->stealing,
         "how thieves steal: flat (in the time of --steal), fence (every steal runs a heavy fence) or ask (as heist "
         "does); several with commas")
      ->delimiter(',')
      ->check(CLI::IsMember(ways))
      ->capture_default_str();
  const auto cost = [&](const char* name, std::optional<double>& value, const char* what,
                        const std::string& otherwise) {
    app.add_option(name, value, fmt::format("{}, in ns; by default {}", what, otherwise))
        ->check(CLI::NonNegativeNumber);
  };
  const std::string measured = "as measured on this machine";
  const machine_costs given;
  cost("--fork", with->fork, "the cost of a fork that nobody steals", measured);
  cost("--spawn", with->spawn, "the cost of a spawn that nobody steals", measured);
  cost("--steal", with->steal, "the time of a steal", measured);
  cost("--resume", with->resume, "the time to resume a strand after a wait", measured);
  cost("--wake", with->wake, "the time to wake a worker", measured);
  cost("--claim", with->claim, "ask: the time to steal a job that is shared", fmt::format("{:.0f}", given.claim));
  cost("--fence", with->fence, "fence, ask: the time to steal by a heavy fence", fmt::format("{:.0f}", given.fence));
  cost("--interrupt", with->interrupt, "fence, ask: what a heavy fence takes from each running worker",
       fmt::format("{:.0f}", given.interrupt));
  cost("--answer", with->answer, "ask: how long a thief waits for an answer", "a quarter of --fence");
  app.add_flag("--queue-fences", with->queue, "fence, ask: one heavy fence at a time, as recent Linux kernels have it");
  app.add_option("--plot", with->plot, "write a plot of the speed-up to this SVG file");
  app.add_option("--plot-interrupts", with->interrupts_plot,
                 "write a plot of interrupts and requests to this SVG file");
  app.add_flag("--json", with->json, "print JSON");
  app.footer(
      "Examples:\n"
      "  heist record -w 1 -- ./program\n"
      "  heist sim predict heist.recording --plot speedup.svg\n"
      "  heist sim predict heist.recording -p 48,96 --steal 500 --wake 20000\n"
      "  heist sim predict skewed:700000,share=0.9 --step 100 --stealing fence,ask");
  app.callback([with, &chosen] { chosen = [with] { return run_predict(*with); }; });
}

}  // namespace heist::cli
