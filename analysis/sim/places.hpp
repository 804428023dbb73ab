#pragma once
// Which places for threads are free. On a large machine a processor's threads lie side by side, so that a pass over all
// processors is one over memory, too.

#include <analysis/dag/dag.hpp>

#include <bit>
#include <cstdint>
#include <vector>

namespace heist::analysis {

class thread_places {
 public:
  // A block of places for each processor. Those that need more get them from a common rest.
  void give_blocks(id processors) {
    blocks_.assign(processors, 0xff);
    used_ = processors * per_block;
  }

  // For a thread that `p` creates; below all().
  id take(id p) {
    if (const id t = next(p); t != none) {
      blocks_[p] &= static_cast<std::uint8_t>(blocks_[p] - 1);
      return t;
    }
    if (rest_.empty()) return used_++;
    const id t = rest_.back();
    rest_.pop_back();
    return t;
  }
  void give_back(id t) {
    if (t / per_block < blocks_.size())
      blocks_[t / per_block] |= static_cast<std::uint8_t>(1u << t % per_block);
    else
      rest_.push_back(t);
  }
  id all() const { return used_; }
  // What take(p) will give; none: a place of the common rest.
  id next(id p) const {
    return blocks_.empty() || blocks_[p] == 0 ? none : p * per_block + static_cast<id>(std::countr_zero(blocks_[p]));
  }

 private:
  static constexpr id per_block = 8;
  std::vector<std::uint8_t> blocks_;  // by processor: a bit for each place that is free
  std::vector<id> rest_;
  id used_ = 0;
};

}  // namespace heist::analysis
