#pragma once
// A stored dag as a computation. A seed is the next instruction.

#include <analysis/dag/computation.hpp>

#include <vector>

namespace heist::analysis {

enum class stretches { long_ones, single_instructions };

class stored_computation final : public computation {
 public:
  explicit stored_computation(dag d, stretches s = stretches::long_ones);

  seed root() const override { return {dag_.threads[dag_.root].first, 0, 0}; }
  std::uint32_t root_frame() const override { return dag_.threads[dag_.root].frame; }
  stretch next(seed& s) const override;
  const dag* stored() const override { return &dag_; }

 private:
  dag dag_;
  stretches stretches_;
  std::vector<bool> waits_;  // whether joins go into an instruction
};

}  // namespace heist::analysis
