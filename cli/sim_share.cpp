// heist sim share: A-Steal's bounds over many random jobs, whatever an allocator has for them.

#include <cli/machine_options.hpp>
#include <cli/progress.hpp>
#include <cli/sim.hpp>
#include <cli/trials.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/dag/random.hpp>
#include <analysis/dag/shapes.hpp>
#include <analysis/proof/shares.hpp>
#include <analysis/proof/statistics.hpp>
#include <analysis/sim/invariants.hpp>
#include <analysis/sim/sweep.hpp>

#include <fmt/format.h>

#include <cmath>
#include <memory>

namespace heist::cli {
namespace {

using namespace analysis;

struct share_settings {
  std::size_t jobs = 1000;
  std::uint32_t processors = 64, quantum = 100;
  std::uint64_t smallest = 1000, largest = 300'000;
  table_options table;
};

struct share_kind {
  const char *name, *available;
  analysis::share rule;
  availability there;
};
constexpr share_kind share_kinds[] = {
    {"paper", "full", analysis::share::paper, availability::full},
    {"paper", "random", analysis::share::paper, availability::random},
    {"paper", "adverse", analysis::share::paper, availability::adverse},
    {"feedback", "full", analysis::share::feedback, availability::full},
    {"feedback", "random", analysis::share::feedback, availability::random},
    {"feedback", "adverse", analysis::share::feedback, availability::adverse},
};
struct numbers {
  double utilisation, responsiveness;
};
constexpr numbers parameters[] = {{0.8, 2}, {0.5, 2}, {0.8, 4}};

// Series-parallel jobs, and loops with serial stretches between them, in turn.
std::unique_ptr<computation> make_job(std::uint64_t number, const share_settings& with) {
  stream random(mix(number, 0x10b));
  const double low = std::log(static_cast<double>(with.smallest)), high = std::log(static_cast<double>(with.largest));
  const auto size = static_cast<std::uint64_t>(std::exp(low + (high - low) * random.unit()));
  if (number % 2 == 0)
    return make_shape(fmt::format("sp:{},seed={},fork={:.2f},sync={:.3f},work={}", size, number,
                                  0.1 + 0.8 * random.unit(), 0.5 * random.unit(), 1 + random.below(20)));
  const std::uint64_t parts = 1 + random.below(4 * with.processors), work = 1 + random.below(2 * with.quantum);
  const std::uint64_t serial = 1 + random.below(2 * with.quantum);
  return make_shape(fmt::format("rounds:{},parts={},work={},serial={},uneven={:.1f}",
                                1 + size / (parts * work + serial), parts, work, serial, 3 * random.unit()));
}

int run_share(const share_settings& with) {
  if (with.jobs < 1 || with.jobs > 1'000'000) throw bad_input("there must be from 1 to 1000000 jobs");
  if (with.smallest < 8 || with.largest < with.smallest || with.largest > 10'000'000)
    throw bad_input("sizes must be from 8 to 10000000");
  std::vector<analysis::options> machines;
  std::vector<const share_kind*> of;
  for (const numbers& n : parameters) {
    for (const share_kind& k : share_kinds) {
      analysis::options o;
      o.processors = with.processors;
      o.quantum = with.quantum;
      o.share = k.rule;
      o.available = k.there;
      o.utilisation = n.utilisation;
      o.responsiveness = n.responsiveness;
      validate(o);
      machines.push_back(o);
      of.push_back(&k);
    }
  }
  std::vector<std::vector<share_bounds>> seen(machines.size(), std::vector<share_bounds>(with.jobs));
  {
    progress bar("jobs", with.jobs);
    in_parallel(
        with.jobs,
        [&](std::size_t job) {
          const auto c = make_job(job + 1, with);
          for (std::size_t i = 0; i < machines.size(); ++i) {
            analysis::options o = machines[i];
            o.seed = job + 1;
            seen[i][job] = judge_share(simulate(*c, o), o);
          }
        },
        [&] { bar.step(); });
  }
  figures table({{"rule"},
                 {"available"},
                 {"utilisation", 1},
                 {"responsiveness", 0},
                 {"waste", 3},
                 {"worst", 3},
                 {"allowed", 2},
                 {"exceptions"},
                 {"c", 3},
                 {"c 99%", 3},
                 {"c worst", 3}});
  std::size_t exceptions = 0;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    sample waste, c;
    std::size_t broken = 0;
    for (const share_bounds& b : seen[i]) {
      waste.add(b.waste);
      c.add(b.c);
      if (b.waste > b.most_waste) ++broken;
    }
    exceptions += broken;
    table.add({of[i]->name, of[i]->available, machines[i].utilisation, machines[i].responsiveness, waste.mean(),
               waste.max(), seen[i][0].most_waste, double(broken), c.mean(), c.quantile(0.99), c.max()});
  }
  const bool good = exceptions == 0;
  with.table.show(
      table,
      fmt::format("{} jobs on at most {} processors, a quantum is {} steps. waste: processor-steps that were not work, "
                  "over T1.\nT = T1/(utilisation*P~) + c*(F + L*(log P + 1)), F = Tinf/(1 - utilisation); by heist's rule "
                  "(feedback): c*(F + L)*(log P + 1)",
                  with.jobs, with.processors, with.quantum),
      fmt::format("Waste above what is allowed: {}. The theorem on time has a constant: c is shown, and not judged.",
                  good ? "no exception" : fmt::format("{} times, BROKEN", exceptions)));
  return good ? ok : check_failed;
}

}  // namespace

void add_share(CLI::App& sim, action& chosen) {
  CLI::App& app = *sim.add_subcommand(
      "share", "Check the bounds of parallelism feedback on random jobs; exit code 1 if more is wasted than allowed");
  auto with = std::make_shared<share_settings>();
  app.add_option("-n,--jobs", with->jobs, "the number of jobs")->capture_default_str();
  app.add_option("-p,--processors", with->processors, "the most processors there are")->capture_default_str();
  app.add_option("--quantum", with->quantum, "the length of a quantum, in steps")->capture_default_str();
  app.add_option("--smallest", with->smallest, "the fewest instructions of a job, about")->capture_default_str();
  app.add_option("--largest", with->largest, "the most instructions of a job, about")->capture_default_str();
  app.add_flag("--json", with->table.json, "print JSON");
  app.callback([with, &chosen] { chosen = [with] { return run_share(*with); }; });
}

}  // namespace heist::cli
