// heist sim machine: this machine's description, measured, for heist sim predict --machine.

#include <cli/costs.hpp>
#include <cli/fence_costs.hpp>
#include <cli/machine_file.hpp>
#include <cli/sim.hpp>

#include <heist/base/origin.hpp>

#include <fmt/format.h>

namespace heist::cli {
namespace {

int describe_machine() {
  const measured_costs measured = measure_costs();
  described_machine here;
  here.cores = measured.cores;
  here.name = detail::this_run(here.cores).cpu;
  here.costs = measured.costs;
  here.guessed = {"look", "patience", "queue_fences", "nodes"};
  if (const auto fences = measure_fences()) {
    here.costs.fence = fences->fence;
    here.costs.interrupt = fences->interrupt;
  } else {
    here.guessed.insert(here.guessed.end(), {"fence", "interrupt"});
  }
  here.costs.answer = here.costs.fence / 4;
  if (measured.steals_guessed) here.guessed.insert(here.guessed.end(), {"steal", "claim", "resume", "wake"});
  fmt::print("{}\n", as_json(here).dump(1));
  if (measured.steals_guessed)
    fmt::print(stderr, "heist: steal, claim, resume and wake are guesses, because no second core was available\n");
  return ok;
}

}  // namespace

void add_machine(CLI::App& sim, action& chosen) {
  CLI::App& app = *sim.add_subcommand("machine", "Measure what forks and steals cost here; print it as JSON, to edit");
  app.footer(
      "cores, nodes: how many workers there can be, and in how many parts of the machine, filled one after the other.\n"
      "speed: of a core, where 1 is a core of the machine that a recording is from.\n"
      "steal, claim, fence: a number, or two: [within a node, from another node]. All costs are in ns, by the names of\n"
      "the options of heist sim predict. What is left out is as usual; only cores is needed.\n"
      "guessed: what was not measured, but is as usual; for the reader only.\n"
      "Examples:\n"
      "  heist sim machine > machine.json\n"
      "  echo '{\"cores\": 96, \"nodes\": 2, \"claim\": [300, 900], \"wake\": 20000}' > big.json\n"
      "  heist sim predict heist.recording --machine big.json");
  app.callback([&chosen] { chosen = [] { return describe_machine(); }; });
}

}  // namespace heist::cli
