#include <cli/trials.hpp>

#include <cli/progress.hpp>

#include <analysis/sim/invariants.hpp>
#include <analysis/sim/sweep.hpp>

#include <fmt/format.h>

namespace heist::cli {

using namespace analysis;

std::vector<runs_of_trial> run_trials(const std::vector<trial>& trials, std::uint64_t seeds, const std::string& title) {
  std::vector<runs_of_trial> all(trials.size(), runs_of_trial(seeds));
  progress bar(title, trials.size() * seeds);
  in_parallel(
      trials.size() * seeds,
      [&](std::size_t i) {
        const trial& t = trials[i / seeds];
        analysis::options o = t.with;
        o.seed += i % seeds;
        all[i / seeds][i % seeds] = simulate(*t.what, o);
      },
      [&] { bar.step(); });
  return all;
}

double mean_of(const runs_of_trial& runs, const std::function<double(const analysis::report&)>& value) {
  double sum = 0;
  for (const analysis::report& r : runs) sum += value(r);
  return sum / static_cast<double>(runs.size());
}

std::vector<trial> open_all(const std::vector<std::string>& computations, const computation_option& recordings) {
  std::vector<trial> all;
  for (const std::string& name : computations)
    all.push_back({name, std::shared_ptr<const computation>(recordings.open(name).what), {}});
  return all;
}

void table_options::add_to(CLI::App& app, const char* files) {
  app.add_option("--plots", plots, fmt::format("write SVG files to this folder: {}", files))
      ->check(CLI::ExistingDirectory);
  app.add_flag("--json", json, "print JSON");
}

void table_options::show(const figures& table, const std::string& head, const std::string& foot) const {
  if (json) {
    fmt::print("{}\n", table.json().dump(1));
    return;
  }
  if (!head.empty()) fmt::print("{}\n\n", head);
  table.print();
  if (!foot.empty()) fmt::print("\n{}\n", foot);
}

}  // namespace heist::cli
