#pragma once
// The (P, M)-recycling game, the paper's model of thieves that meet: P balls, P bins, M tosses. In each step the
// adversary tosses any of the balls in the reservoir into bins chosen at random; then one ball leaves each bin that is
// not empty, back to the reservoir. The delay D is the number of balls left in bins, summed over the steps.

#include <cstdint>
#include <string>
#include <vector>

namespace heist::analysis {

enum class tosser {
  eager,    // every ball at once, as soon as it is back: what thieves do
  single,   // one ball in a step
  hoarder,  // all balls, when all are back
  half,     // half of the reservoir
  random    // any number of it
};
std::vector<std::pair<std::string, tosser>> tossers();

// D of one game.
std::uint64_t play(std::uint32_t balls, std::uint64_t tosses, tosser how, std::uint64_t seed);

// What D exceeds with probability at most epsilon, but for a constant factor: M + P lg P + P lg(1/epsilon).
double recycling_bound(std::uint32_t balls, std::uint64_t tosses, double epsilon);

}  // namespace heist::analysis
