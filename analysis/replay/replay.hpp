#pragma once
// A recorded run on another machine: the Work-Stealing Algorithm over strands of measured length. See README.md.

#include <analysis/replay/recorded.hpp>

#include <cstdint>
#include <vector>

namespace heist::analysis {

// How thieves take a job.
enum class stealing : std::uint8_t {
  flat,   // in a fixed time
  fence,  // every steal runs a heavy fence
  ask,    // the runtime's protocol: owners are asked to share, and fenced only if they do not answer
};

// What a machine asks for things, in nanoseconds.
struct machine_costs {
  double fork = 2;           // a join nobody robs
  double spawn = 15;         // a scope's child, likewise
  double look = 100;         // at a victim that has nothing
  double steal = 3'000;      // flat: from finding a victim to running its job
  double claim = 300;        // ask: the same, where the job is shared
  double fence = 10'000;     // fence, ask: the same, by a heavy fence
  double interrupt = 1'500;  // fence, ask: what a heavy fence takes from each running worker
  double answer = 2'500;     // ask: how long a thief waits for one; the runtime's waits a quarter of a fence
  double resume = 500;       // to go on with a strand that was suspended
  double patience = 50'000;  // who found nothing for so long sleeps
  double wake = 50'000;      // and is woken in so much …
  std::vector<double> wakes = {};  // … or in one of these times, each as likely as the others

  std::uint32_t cores_per_node = 0;  // workers fill node after node; 0: there is one node
  struct {
    double steal = 0, claim = 0, fence = 0;
  } farther = {};  // what each costs more if the victim is in another node

  bool asleep_at_first = false;  // all but the first worker, as in a pool that was idle
  bool fences_queue = false;     // one heavy fence at a time, as recent Linux kernels have it
  bool near_victims = false;     // thieves prefer those in their node
};

struct replayed {
  double time = 0;  // ns
  double busy = 0;  // of all workers together, interrupts not counted
  std::uint64_t steals = 0, lost = 0, suspends = 0, wakes = 0;
  // Owners asked to share, and those who did. Heavy fences, and the running workers that they interrupted.
  std::uint64_t requests = 0, answers = 0, fences = 0, interrupts = 0;
};

replayed replay(const recorded_run& run, const machine_costs& costs, std::uint32_t workers, std::uint64_t seed,
                stealing how = stealing::flat);

}  // namespace heist::analysis
