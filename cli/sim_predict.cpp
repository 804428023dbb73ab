// heist sim predict: a recorded run, or an invented one, on ever more simulated workers.

#include <cli/costs.hpp>
#include <cli/machine_file.hpp>
#include <cli/machine_options.hpp>
#include <cli/prediction.hpp>
#include <cli/progress.hpp>
#include <cli/sim.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/dag/shapes.hpp>
#include <analysis/replay/invented.hpp>
#include <analysis/replay/replay.hpp>
#include <analysis/replay/spread.hpp>
#include <heist/for_each.hpp>
#include <heist/pool.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
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

// What is told on the command line comes first, then the machine's description, then what is measured here.
measured_costs costs_of(const predict_settings& with, const std::optional<described_machine>& machine) {
  const bool flat = std::ranges::count(with.stealing, "flat") > 0;
  const bool steals_given = (with.steal || !flat) && (with.claim || with.only_flat()) && with.resume && with.wake;
  measured_costs all;
  if (machine)
    all.costs = machine->costs;
  else if (!(steals_given && with.fork && with.spawn))
    all = measure_costs();
  all.steals_guessed = all.steals_guessed && !steals_given && !machine;
  machine_costs& c = all.costs;
  c.fork = with.fork.value_or(c.fork);
  c.spawn = with.spawn.value_or(c.spawn);
  c.steal = with.steal.value_or(c.steal);
  c.claim = with.claim.value_or(c.claim);
  c.interrupt = with.interrupt.value_or(c.interrupt);
  c.answer = with.answer.value_or(machine && !with.fence ? c.answer : with.fence.value_or(c.fence) / 4);
  c.fence = with.fence.value_or(c.fence);
  c.fences_queue = c.fences_queue || with.queue;
  c.near_victims = with.victims == "near";
  if (c.near_victims && c.cores_per_node == 0)
    throw bad_input("--victims near needs a --machine of several nodes: on one node all victims are near");
  c.resume = with.resume.value_or(c.resume);
  if (with.wake) c.wakes.clear();
  c.wake = with.wake.value_or(c.wake);
  c.asleep_at_first = c.wake > 0 || !c.wakes.empty();
  return all;
}

recorded_run open_run(const predict_settings& with, const measured_costs& costs, double speed) {
  if (with.is_shape()) return invent_run(*make_shape(with.file), with.step);
  unrecorded when{costs.costs.fork, costs.costs.spawn};
  if (with.t1) when.time = *with.t1 * 1e6;
  recorded_run run = read_recording(with.file, when);
  if (run.work <= 0) throw bad_input(with.file + ": nothing was recorded; did the program use heist?");
  if (speed != 1) scale(run, 1 / speed);
  return run;
}

// How far a run may be from the predicted time, besides what chance does to steals: what the machine does to runs of this
// program, and to threads on all of its cores at once.
class margin {
 public:
  margin(const recorded_run& run, const predict_settings& with) {
    if (with.is_shape()) return;
    of_run_ = spread_of(run.plain);
    alone_ = measure_slices(1);
    const unsigned cores = available_parallelism();
    if (cores > 1 && with.machine.empty()) together_ = measure_slices(cores);
    known_ = false;
  }

  void widen(prediction& p) const {
    if (known_) return;
    const bool one = p.workers == 1;
    const slices& s = one ? alone_ : together_;
    p.low *= std::max(0., 1 - s.quicker() - model_error(p.workers));
    p.high *= 1 + of_run_ + s.slower(p.time) + model_error(p.workers);
  }

 private:
  // What a recording cannot know: caches and memory that workers share. On one worker, how the clock drifts.
  static double model_error(std::uint32_t workers) { return workers == 1 ? 0.03 : 0.08; }

  bool known_ = true;  // a shape's instructions take the time that they are said to take
  double of_run_ = 0;
  slices alone_, together_;
};

prediction mean(const replayed* first, std::size_t seeds) {
  prediction p;
  const auto n = static_cast<double>(seeds);
  p.low = first->time;
  for (const replayed* r = first; r != first + seeds; ++r) {
    p.time += r->time / n;
    p.low = std::min(p.low, r->time);
    p.high = std::max(p.high, r->time);
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

std::vector<prediction> predict(const recorded_run& run, const machine_costs& costs, const margin& within,
                                const predict_settings& with) {
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
    within.widen(all.back());
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
  fmt::print("\n{:>8}{:>14}{:>24}{:>10}{:>10}{:>12}{:>12}", "workers", "time, ms", "19 of 20 within", "speed-up", "busy",
             "steals", "suspends");
  fmt::print(
      "{}\n",
      flat ? "" : fmt::format("{:>12}{:>12}{:>12}{:>14}  stealing", "requests", "answers", "fences", "interrupts"));
  for (const prediction& p : all) {
    fmt::print("{:>8}{:>14.3f}{:>24}{:>10.2f}{:>9.1f}%{:>12.0f}{:>12.0f}", p.workers, p.time / 1e6,
               fmt::format("{:.3f} to {:.3f}", p.low / 1e6, p.high / 1e6), serial / p.time,
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
                      {"low_ns", p.low},
                      {"high_ns", p.high},
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

int run_predict(predict_settings with) {
  if (with.seeds < 1 || with.seeds > 10'000) throw bad_input("seeds must be from 1 to 10000");
  std::optional<described_machine> machine;
  if (!with.machine.empty()) {
    machine = read_machine(with.machine);
    if (with.workers.empty()) with.workers = {fmt::format("1..{}", machine->cores)};
    for (const std::uint32_t p : parse_counts(with.workers))
      if (p > machine->cores) throw bad_input(fmt::format("{}: it has {} cores, not {}", with.machine, machine->cores, p));
  }
  if (with.workers.empty()) with.workers = {"1..1024"};
  const measured_costs costs = costs_of(with, machine);
  const recorded_run run = open_run(with, costs, machine ? machine->speed : 1);
  const std::vector<prediction> all = predict(run, costs.costs, margin(run, with), with);
  const double serial = replay(run, costs.costs, 1, with.seed).time;
  if (!with.plot.empty()) draw_speed_up(run, all, serial, with, with.plot);
  if (!with.interrupts_plot.empty()) draw_interrupts(all, with, with.interrupts_plot);
  if (with.json) {
    fmt::print("{}\n", as_json(run, costs, all, serial).dump(1));
    return ok;
  }
  if (machine)
    fmt::print("{}: {} cores in {} node{}\n", machine->name.empty() ? with.machine : machine->name, machine->cores,
               machine->nodes, machine->nodes == 1 ? "" : "s");
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
  app.add_option("-p,--workers", with->workers,
                 "numbers such as 1,2,8, or 1..1024 for powers of two, which is the default")
      ->delimiter(',');
  app.add_option("--machine", with->machine,
                 "the machine to predict for: a file as heist sim machine writes it for this one");
  app.add_option("--t1", with->t1, "the time of the program on one worker, in ms, when it is not recorded")
      ->check(positive());
  app.add_option("--seeds", with->seeds, "runs to average over")->capture_default_str();
  app.add_option("--seed", with->seed, "the first seed")->capture_default_str();
  app.add_option("--step", with->step, "the time of an instruction of a shape, in ns")
      ->check(positive())
      ->capture_default_str();
  app.add_option(
         "--stealing", with->stealing,
         "how thieves steal: ask (as heist does), fence (every steal runs a heavy fence) or flat (in the time of "
         "--steal); several with commas")
      ->delimiter(',')
      ->check(CLI::IsMember(ways))
      ->capture_default_str();
  const auto cost = [&](const char* name, std::optional<double>& value, const char* what,
                        const std::string& otherwise) {
    app.add_option(name, value, fmt::format("{}, in ns; by default {}", what, otherwise))->check(not_negative());
  };
  const std::string measured = "as measured on this machine";
  const machine_costs given;
  cost("--fork", with->fork, "the cost of a fork that nobody steals", measured);
  cost("--spawn", with->spawn, "the cost of a spawn that nobody steals", measured);
  cost("--steal", with->steal, "flat: the time of a steal", measured);
  cost("--resume", with->resume, "the time to resume a strand after a wait", measured);
  cost("--wake", with->wake, "the time to wake a worker", measured);
  cost("--claim", with->claim, "ask: the time to steal a job that is shared", measured);
  cost("--fence", with->fence, "fence, ask: the time to steal by a heavy fence", fmt::format("{:.0f}", given.fence));
  cost("--interrupt", with->interrupt, "fence, ask: what a heavy fence takes from each running worker",
       fmt::format("{:.0f}", given.interrupt));
  cost("--answer", with->answer, "ask: how long a thief waits for an answer", "a quarter of --fence");
  app.add_flag("--queue-fences", with->queue, "fence, ask: one heavy fence at a time, as recent Linux kernels have it");
  app.add_option("--victims", with->victims, "how thieves choose victims: uniform, or those in their node rather")
      ->check(CLI::IsMember({"uniform", "near"}))
      ->capture_default_str();
  app.add_option("--plot", with->plot, "write a plot of the speed-up to this SVG file");
  app.add_option("--plot-interrupts", with->interrupts_plot,
                 "write a plot of interrupts and requests to this SVG file");
  app.add_flag("--json", with->json, "print JSON");
  app.footer(
      "Examples:\n"
      "  heist record -w 1 -- ./program\n"
      "  heist sim predict heist.recording --plot speedup.svg\n"
      "  heist sim machine > machine.json     # edit cores, nodes and costs\n"
      "  heist sim predict heist.recording --machine machine.json\n"
      "  heist sim predict skewed:700000,share=0.9 --step 100 --stealing fence,ask");
  app.callback([with, &chosen] { chosen = [with] { return run_predict(*with); }; });
}

}  // namespace heist::cli
