// heist sim run: simulates a computation under schedulers and numbers of processors; one row each.

#include <cli/computation_option.hpp>
#include <cli/machine_options.hpp>
#include <cli/progress.hpp>
#include <cli/sim.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/dag/stored.hpp>
#include <analysis/sim/invariants.hpp>
#include <analysis/sim/table.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace heist::cli {
namespace {

using namespace analysis;

struct run_settings {
  computation_option computation;
  machine_options machine;
  bool check = false, table = false, json = false;
};

nlohmann::json as_json(const analysis::options& o, const report& r) {
  return {{"scheduler", to_string(o.policy)},
          {"processors", o.processors},
          {"seed", o.seed},
          {"time", r.time},
          {"space", r.space},
          {"leaves", r.leaves},
          {"steps", {{"work", r.work}, {"steal", r.steal}, {"wait", r.wait}, {"idle", r.idle}, {"granted", r.granted}}},
          {"attempts", r.attempts},
          {"steals", r.steals},
          {"bytes", r.bytes},
          {"work", r.of.work},
          {"span", r.of.span},
          {"stack", r.of.stack},
          {"checked", r.checked},
          {"unchecked", r.unchecked},
          {"violations", r.violations},
          {"seconds", r.seconds}};
}

std::string share(std::uint64_t part, const report& r) {
  return fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(r.granted));
}

void print_row(const analysis::options& o, const report& r) {
  const double p = o.processors;
  fmt::print("{:<15}{:>7}{:>12}{:>9.3f}{:>9.2f}{:>9}{:>9.3f}{:>8}{:>8}{:>8}{:>8}{:>11}{:>10}{:>11}\n",
             to_string(o.policy), o.processors, r.time, r.time_ratio(p),
             static_cast<double>(r.of.work) / static_cast<double>(r.time), r.space,
             static_cast<double>(r.space) / (p * static_cast<double>(r.of.stack)), share(r.work, r), share(r.steal, r),
             share(r.wait, r), share(r.idle, r), r.attempts, r.steals, r.bytes);
}

// Also notes what each processor executed in each step.
report run_with_table(const computation& c, const analysis::options& o, std::string& tables) {
  const stored_computation single(expand(c), stretches::single_instructions);
  machine m(single, o);
  step_table steps;
  invariants look(single, o);
  m.add(steps);
  if (o.check) m.add(look);
  report r = m.run();
  if (o.check) look.conclude(r);
  tables += fmt::format("{} on {} processors\n{}\n", to_string(o.policy), o.processors, steps.to_string());
  return r;
}

int run(const run_settings& with) {
  const opened_computation opened = with.computation.open();
  const computation& c = *opened.what;
  std::vector<std::pair<analysis::options, report>> results;
  nlohmann::json json = nlohmann::json::array();
  std::string tables;
  bool good = true;
  {
    const std::vector<analysis::options> all = with.machine.all();
    progress bar(with.computation.name, all.size());
    for (analysis::options o : all) {
      o.check = with.check;
      results.emplace_back(o, with.table && !with.json ? run_with_table(c, o, tables) : simulate(c, o));
      good = good && results.back().second.violations.empty();
      if (with.json) json.push_back(as_json(o, results.back().second));
      bar.step();
    }
  }
  if (with.json) {
    fmt::print("{}\n", json.dump(1));
    return good ? ok : check_failed;
  }
  fmt::print("{}", tables);
  const measures& m = results[0].second.of;
  if (!opened.note.empty()) fmt::print("{}\n", opened.note);
  fmt::print("{}: T1 {}, Tinf {}, parallelism {:.1f}, S1 {}, threads {}\n\n", with.computation.name, m.work, m.span,
             m.parallelism(), m.stack, m.threads);
  fmt::print("{:<15}{:>7}{:>12}{:>9}{:>9}{:>9}{:>9}{:>8}{:>8}{:>8}{:>8}{:>11}{:>10}{:>11}\n", "scheduler", "P", "T_P",
             "T/bound", "speed-up", "S_P", "S/(P*S1)", "WORK", "STEAL", "WAIT", "IDLE", "attempts", "steals", "bytes");
  double seconds = 0, steps = 0;
  for (const auto& [o, r] : results) {
    print_row(o, r);
    seconds += r.seconds;
    steps += static_cast<double>(r.granted);
  }
  fmt::print("\nbound: T1/P + Tinf. Simulated {:.3g} processor-steps in {:.2f} s: {:.3g} a second.\n", steps, seconds,
             steps / seconds);
  if (with.check) {
    for (const auto& [o, r] : results) {
      for (const auto& what : r.checked)
        fmt::print("{} {}: checked {} times: {}\n", to_string(o.policy), o.processors, r.checks, what);
      for (const auto& what : r.unchecked)
        fmt::print("{} {}: not checked: {}\n", to_string(o.policy), o.processors, what);
      for (const auto& what : r.violations) fmt::print("{} {}: BROKEN: {}\n", to_string(o.policy), o.processors, what);
    }
  }
  return good ? ok : check_failed;
}

}  // namespace

void add_run(CLI::App& sim, action& chosen) {
  CLI::App& app =
      *sim.add_subcommand("run", "Simulate a computation under schedulers; exit code 1 if a checked invariant breaks");
  auto with = std::make_shared<run_settings>();
  with->computation.add_to(app);
  with->machine.add_to(app);
  app.add_flag("--check", with->check, "check every invariant after every step");
  app.add_flag("--table", with->table, "print what each processor executed in each step");
  app.add_flag("--json", with->json, "print JSON");
  app.footer(
      "Examples:\n  heist sim run analysis/examples/figure1.dag -s busy-leaves -p 2 --table\n"
      "  heist sim run fib:25 -p 1..1024\n  heist sim run loop:1000 -s stealing,help-first -p 8 --check");
  app.callback([with, &chosen] { chosen = [with] { return run(*with); }; });
}

}  // namespace heist::cli
