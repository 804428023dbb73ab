#pragma once
// The computation that an action is about: a file, a shape, or the recording of a real program.

#include <analysis/dag/computation.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace heist::cli {

struct opened_computation {
  std::unique_ptr<analysis::computation> what;
  double ns_per_step = 0;  // of a recording; 0: it is none
  bool collapsed = false;
  std::string note;  // about a recording, or empty; a line
};

struct computation_option {
  static constexpr double finest = 0;  // as the step: the finest for which no strand has to be split

  std::string name;
  double step = 100;
  std::uint64_t threads = 0;  // 0: all

  void add_to(CLI::App& app, const char* text = "a file, a shape, or a recording (heist record)");
  void add_recording_options(CLI::App& app);
  opened_computation open() const { return open(name); }
  opened_computation open(const std::string& spec) const;  // throws bad_input
};

}  // namespace heist::cli
