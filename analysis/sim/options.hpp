#pragma once
// Which scheduler, on which machine.

#include <cstdint>
#include <string>
#include <vector>

namespace heist::analysis {

enum class policy {
  greedy,           // Graham and Brent: as many ready threads as there are processors
  busy_leaves,      // a central pool; a processor goes to the child, and to the parent when its last child dies
  work_stealing,    // a deque for each processor; the child first, the parent left to thieves
  help_first,       // the same, but the parent first, the child left to thieves
  sharing,          // a child goes to the shorter of two random processors' queues
  static_partition,  // the root's children are dealt out, the others stay where their parent is
  depth_first,       // Blelloch, Gibbons and Matias: those that come first in serial order
  burton_simpson     // depth first at each processor; one without work takes the oldest thread that it finds
};

enum class contention { queued, denied };  // requests that meet at one deque: all but one wait, or have to ask again
enum class adversary { first, last, random };  // who of those that wait is served
enum class amount { one, half };               // what a thief takes
enum class victims { uniform, near };          // near: at distance d on a ring with a chance of about 1/d

struct options {
  analysis::policy policy = policy::work_stealing;
  std::uint32_t processors = 1;
  std::uint64_t seed = 1;

  analysis::contention contention = contention::queued;
  analysis::adversary adversary = adversary::first;
  analysis::amount amount = amount::one;
  analysis::victims victims = victims::uniform;
  std::uint32_t latency = 1;     // steps from a steal attempt to the first step of what it brought
  std::uint32_t join_bytes = 1;  // what a join into a thread on another processor costs
  std::uint32_t levels = 1;      // static partition: threads so far below the root are dealt out in turn

  // Changes in the number of processors: from `step` on there are this many, at most `processors`.
  // One that leaves puts down its thread.
  struct change {
    std::uint64_t step;
    std::uint32_t processors;
  };
  std::vector<change> changes;

  bool check = false;  // look at every invariant after every step
};

const char* to_string(policy p);
policy parse_policy(const std::string& name);  // throws bad_input

// Throws bad_input if the options do not go together.
void validate(const options& o);

}  // namespace heist::analysis
