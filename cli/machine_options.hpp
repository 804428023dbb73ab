#pragma once
// The options of a simulated machine, the same for every action that runs one.

#include <analysis/sim/options.hpp>

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace heist::cli {

struct machine_options {
  std::vector<std::string> schedulers{"stealing"};
  std::vector<std::string> processors{"4"};
  std::uint64_t seed = 1;
  std::uint32_t latency = 1, far_latency = 0, per_cache = 8, per_node = 32, backoff = 0, join_bytes = 1, levels = 1;
  std::string contention = "queued", adversary = "first", amount = "one", victims = "uniform";
  bool affinity = false;
  std::vector<std::string> resize;
  std::string yield = "none", share = "dedicated", available = "full";
  std::uint32_t slice = 100, quantum = 1000;
  double utilisation = 0.8, responsiveness = 2;

  void add_to(CLI::App& app);
  // One for each scheduler and number of processors. Throws bad_input.
  std::vector<analysis::options> all() const;

 private:
  void add_grants(analysis::options& o) const;
};

// "1,2,8", "1..256" (doubling); throws bad_input.
std::vector<std::uint32_t> parse_counts(const std::vector<std::string>& items);

// For check(): a finite number above 0; one from 0 on. CLI11's own complaints write the largest double in full.
CLI::Validator positive();
CLI::Validator not_negative();

}  // namespace heist::cli
