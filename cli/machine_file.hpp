#pragma once
// The description of a machine, for predictions of how a program runs there.

#include <analysis/replay/replay.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace heist::cli {

struct described_machine {
  std::string name;
  std::uint32_t cores = 0, nodes = 1;
  double speed = 1;  // of a core, in cores of the machine that the recording is from
  analysis::machine_costs costs;
  std::vector<std::string> guessed;  // what was not measured
};

// JSON: "cores", and what differs from the usual of "name", "nodes", "speed", "queue_fences" and the costs in
// nanoseconds, by the names of the options of `heist sim predict`. "steal", "claim" and "fence" may be lists of two:
// within a node, and from another one. "guessed" is for the reader only. Throws bad_input.
described_machine read_machine(const std::string& file);
nlohmann::json as_json(const described_machine& m);

}  // namespace heist::cli
