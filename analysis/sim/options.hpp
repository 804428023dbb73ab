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
enum class victims { uniform, near };          // near: by levels of distance, as the runtime draws them

// Who is granted processors, step by step. See kernel.hpp.
enum class grants { all, listed, random, oblivious, adaptive };
enum class yields { never, to_random, to_all };    // what a thief does before it asks again
enum class share { dedicated, feedback, paper };   // feedback: by desires, as the runtime; paper: as A-Steal has it
enum class availability { full, random, adverse };  // what there is for a job that shares

struct options {
  analysis::policy policy = policy::work_stealing;
  std::uint32_t processors = 1;
  std::uint64_t seed = 1;

  analysis::contention contention = contention::queued;
  analysis::adversary adversary = adversary::first;
  analysis::amount amount = amount::one;
  analysis::victims victims = victims::uniform;
  std::uint32_t latency = 1;     // steps from a steal attempt to the first step of what it brought
  std::uint32_t far_latency = 0;  // the same for a victim on another node; 0: `latency`
  std::uint32_t per_cache = 8, per_node = 32;  // processors that share a cache, and that are on a node
  std::uint32_t backoff = 0;     // after k failures in a row a thief waits for fewer than min(2^k, this) steps
  bool affinity = false;         // parts are offered to the processor that had them before
  std::uint32_t join_bytes = 1;  // what a join into a thread on another processor costs
  std::uint32_t levels = 1;      // static partition: threads so far below the root are dealt out in turn

  // listed: from `step` on there are this many, at most `processors`.
  struct change {
    std::uint64_t step;
    std::uint32_t processors;
  };
  std::vector<change> changes;
  analysis::grants grants = grants::all;
  analysis::yields yields = yields::never;
  std::uint32_t slice = 100;  // random, oblivious, adaptive: no processor is held back for longer

  // Parallelism feedback.
  analysis::share share = share::dedicated;
  analysis::availability available = availability::full;
  std::uint32_t quantum = 1000;
  double utilisation = 0.8, responsiveness = 2;

  bool steady() const { return grants == grants::all && share == share::dedicated; }
  // A processor that is taken away keeps its thread, as a process that is preempted does; else it leaves it behind.
  bool keeps() const { return grants == grants::random || grants == grants::oblivious || grants == grants::adaptive; }

  bool check = false;  // look at every invariant after every step
};

const char* to_string(policy p);
policy parse_policy(const std::string& name);  // throws bad_input

// Throws bad_input if the options do not go together.
void validate(const options& o);

}  // namespace heist::analysis
