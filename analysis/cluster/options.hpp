#pragma once
// A cluster that is simulated: its machines, its network, its tree and its rules; and what came of a run.

#include <cstdint>

namespace heist::clusters {

// What a machine does that was refused.
enum class lifelines : std::uint8_t {
  off,   // it asks another one, and so on
  all,   // after two refusals it asks all others, which remember it, and is silent until one sends it work
  cube,  // the same, but it asks only its log P neighbours in a hypercube
};
enum class amount : std::uint8_t { one, half };

struct options {
  std::uint32_t machines = 1'000;
  std::uint32_t cores = 64;  // of a machine
  bool flat = false;         // each core is a thief of its own, on the network
  std::uint64_t nodes = 1'000'000'000'000;
  double node = 1;         // µs
  double skew = 3;         // see tree
  double latency = 1'000;  // µs that a message is under way
  double handle = 5;       // µs that a machine needs for a message; they queue up
  double grain = 100'000;  // the smallest branch that travels, in nodes
  amount steal = amount::one;
  clusters::lifelines lifelines = clusters::lifelines::cube;
  std::uint32_t header = 64;   // bytes of a message
  std::uint32_t frame = 256;   // bytes of a branch or of a result: S_max
  std::uint32_t crashes = 0;   // machines that die, at random moments of the time that it would take at best
  double suspect = 1'000'000;  // µs until the death is known
  std::uint64_t seed = 1;

  std::uint32_t thieves() const { return flat ? machines * cores : machines; }
  double speed() const { return (flat ? 1 : cores) / node; }               // of a thief, nodes a µs
  double best() const { return double(nodes) * node / machines / cores; }  // µs
};

struct report {
  double time = 0;     // µs, from the root's beginning to its result
  double spread = 0;   // until nine tenths of the thieves had had work
  double thinned = 0;  // since when fewer than nine tenths were at work
  double path = 0;     // T∞ in nodes, at least
  double done = 0;     // nodes, twice where they were lost
  double lost = 0;     // of these, by crashes
  std::uint64_t asks = 0, refusals = 0, loans = 0, declined = 0, results = 0, deaths = 0;
  std::uint64_t messages = 0, bytes = 0, busiest = 0;  // busiest: messages in the busiest ms
  std::uint64_t most_handled = 0;                      // messages to one machine, the most
  std::uint64_t events = 0;

  double efficiency(const options& o) const { return o.best() / time; }
  // Bytes, as a multiple of P·T∞·(1 + n_d)·S_max, with n_d = 1.
  double bytes_constant(const options& o) const { return double(bytes) / (double(o.thieves()) * path * 2 * o.frame); }
};

report simulate(const options& o);

}  // namespace heist::clusters
