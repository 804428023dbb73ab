#pragma once
// What a simulated run was: its time, its space, where each processor-step went, what was communicated.

#include <analysis/dag/measure.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heist::analysis {

// A quantum of a job that shares the machine.
struct quantum_record {
  std::uint32_t desire, available, allotted;
  std::uint64_t steps, worked;  // `worked`: processor-steps. During the run: what there were before it
};

struct report {
  std::uint64_t time = 0;    // T_P, in steps
  std::uint64_t space = 0;   // S_P: the most frames that lived at the end of a step
  std::uint64_t leaves = 0;  // the most threads without living children that lived at once

  // Processor-steps. Each is in exactly one bucket.
  std::uint64_t work = 0, steal = 0, wait = 0, idle = 0;
  std::uint64_t granted = 0;

  std::uint64_t attempts = 0, steals = 0;  // attempts that asked; threads that were taken
  std::uint64_t catches = 0;               // attempts that brought something; with steal-half fewer than steals
  std::uint64_t letters = 0;               // affinity: parts that a processor was told of, and took
  std::uint64_t mugs = 0;                  // deques of processors that had left, taken over as a whole
  std::array<std::uint64_t, 4> attempts_at{}, steals_at{};  // near: by distance, as heist/topology counts it
  std::uint64_t parts = 0, parts_kept = 0;  // parts that had run before; those that ran where they had
  std::uint64_t bytes = 0;                 // frames and joins that went to another processor
  std::vector<quantum_record> quanta;      // of a job that shares
  std::uint64_t complete = 0;              // steps in which every processor worked; counted by greedy and Busy-Leaves

  measures of;  // the computation, as seen on the way; n_d of a shape is 1

  std::vector<std::string> checked, unchecked;  // invariants; those that do not apply, with the reason
  std::uint64_t checks = 0;                     // how often they were looked at
  std::vector<std::string> violations;          // sentences
  double seconds = 0;                           // of this machine's time

  double average() const { return static_cast<double>(granted) / static_cast<double>(time); }  // P_A
  std::uint64_t incomplete() const { return time - complete; }
  // T_P against T₁/P + T∞.
  double time_ratio(double processors) const {
    return static_cast<double>(time) / (static_cast<double>(of.work) / processors + static_cast<double>(of.span));
  }
};

}  // namespace heist::analysis
