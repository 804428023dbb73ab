#include <analysis/replay/flat_thieves.hpp>
#include <analysis/replay/replay.hpp>
#include <analysis/replay/split_thieves.hpp>

namespace heist::analysis {

replayed replay(const recorded_run& run, const machine_costs& costs, std::uint32_t workers, std::uint64_t seed,
                stealing how) {
  if (how == stealing::flat) return flat_thieves(run, costs, workers, seed).run();
  return split_thieves(run, costs, workers, seed, how).run();
}

}  // namespace heist::analysis
