#pragma once
// The bounds of the theory over many random computations, or over given ones.

#include <analysis/dag/computation.hpp>
#include <analysis/dag/random_dag.hpp>
#include <analysis/proof/statistics.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heist::analysis {

struct named_computation {
  std::string name;
  std::shared_ptr<const computation> what;
};

struct bounds_options {
  std::vector<named_computation> given;  // instead of random ones
  random_kind kind = random_kind::fully_strict;
  std::size_t computations = 1000;
  std::uint64_t seeds = 3;                          // runs of each on each number of processors
  std::uint64_t smallest = 100, largest = 100'000;  // instructions; evenly spread over the orders of magnitude
  std::vector<std::uint32_t> processors{1, 2, 4, 8, 16, 32, 64, 128, 256};
  std::uint64_t first = 1;  // the first computation's seed
};

// What was seen on one number of processors, or in one decade of sizes.
struct bounds_row {
  sample c;                    // (T_P − T₁/P) / T∞, a value for each run
  sample attempts;             // steal attempts / (P·T∞)
  sample steals;               // those that brought something
  sample space;                // S_P / (P·S₁)
  sample bytes;                // communication / (P·T∞·(1 + n_d)·S_max)
  double wait = 0, steal = 0;  // processor-steps, summed
};

struct bounds_result {
  std::map<std::uint32_t, bounds_row> by_processors;
  std::map<int, bounds_row> by_size;  // the power of ten; runs on more than one processor
  std::uint64_t runs = 0, instructions = 0, steps = 0;
  std::uint64_t fully_strict = 0, strict = 0, others = 0;  // computations; the odd ones are among the others
  std::uint64_t most_joins = 0;                            // n_d, the most of all
  std::vector<std::string> violations;  // of what has no constant: the space of work stealing, greedy and Busy-Leaves
};

bounds_result check_bounds(const bounds_options& o, const std::function<void()>& done);

}  // namespace heist::analysis
