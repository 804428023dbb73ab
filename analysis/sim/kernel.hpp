#pragma once
// Who has processors, step by step: the adversaries of Arora, Blumofe and Plaxton, a list of changes, or an allocator that
// grants what a job desires. See README.md.

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace heist::analysis {

class machine;
struct options;

class kernel {
 public:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  virtual ~kernel() = default;
  // The first step for which it is not settled who runs.
  std::uint64_t next() const { return next_; }
  // Settles who runs from the step after m.now() on, until next(). At least one does.
  virtual void decide(machine& m, std::vector<bool>& here) = 0;

 protected:
  std::uint64_t next_ = 1;
};

std::unique_ptr<kernel> make_kernel(const options& o);       // null: all processors run, always
std::unique_ptr<kernel> make_adversary(const options& o);    // random, oblivious, adaptive
std::unique_ptr<kernel> make_allocator(const options& o);    // parallelism feedback

}  // namespace heist::analysis
