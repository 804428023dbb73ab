#pragma once
// Which processors end a stretch in which step. Nearly all end in the next step, most others soon.

#include <array>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

namespace heist::analysis {

class timetable {
 public:
  void add(std::uint64_t now, std::uint64_t step, std::uint32_t processor) {
    if (step == now + 1) {
      next_.push_back(processor);
    } else if (step < now + slots) {
      soon_[step % slots].push_back(processor);
      ++soon_count_;
    } else {
      later_.emplace(step, processor);
    }
  }

  // Those that end in `step`, which must be first(); the list is used again at the next call.
  std::vector<std::uint32_t>& take(std::uint64_t step) {
    now_.clear();
    now_.swap(next_);
    auto& soon = soon_[step % slots];
    now_.insert(now_.end(), soon.begin(), soon.end());
    soon_count_ -= soon.size();
    soon.clear();
    for (; !later_.empty() && later_.top().first == step; later_.pop()) now_.push_back(later_.top().second);
    return now_;
  }

  // The next step in which somebody ends; `otherwise` if nobody does before it.
  std::uint64_t first(std::uint64_t now, std::uint64_t otherwise) const {
    if (!next_.empty()) return now + 1;
    std::uint64_t step = later_.empty() ? otherwise : std::min(otherwise, later_.top().first);
    if (soon_count_ == 0) return step;
    for (std::uint64_t s = now + 1; s < std::min(step, now + slots); ++s)
      if (!soon_[s % slots].empty()) return s;
    return step;
  }

 private:
  static constexpr std::uint64_t slots = 512;
  using event = std::pair<std::uint64_t, std::uint32_t>;
  std::vector<std::uint32_t> now_, next_;
  std::array<std::vector<std::uint32_t>, slots> soon_;
  std::size_t soon_count_ = 0;
  std::priority_queue<event, std::vector<event>, std::greater<>> later_;
};

}  // namespace heist::analysis
