#pragma once
// What the actions about policies share: many runs of computations on machines, in parallel, and what to do with a table.

#include <cli/computation_option.hpp>
#include <cli/figures.hpp>

#include <analysis/dag/computation.hpp>
#include <analysis/sim/options.hpp>
#include <analysis/sim/report.hpp>

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace heist::cli {

struct trial {
  std::string name;  // of the computation
  std::shared_ptr<const analysis::computation> what;
  analysis::options with;
};

// What a trial's runs with `seeds` seeds were.
using runs_of_trial = std::vector<analysis::report>;
std::vector<runs_of_trial> run_trials(const std::vector<trial>& trials, std::uint64_t seeds, const std::string& title);

double mean_of(const runs_of_trial& runs, const std::function<double(const analysis::report&)>& value);

// With default options.
std::vector<trial> open_all(const std::vector<std::string>& computations, const computation_option& recordings);

// How an action shows its table.
struct table_options {
  std::string plots;
  bool json = false;
  void add_to(CLI::App& app, const char* files);
  bool plotted() const { return !plots.empty(); }
  std::string file(const char* name) const { return plots + "/" + name; }
  void show(const figures& table, const std::string& head, const std::string& foot) const;
};

}  // namespace heist::cli
