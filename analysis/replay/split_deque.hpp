#pragma once
// A worker's deque as the replay needs it: the jobs, and how many of the oldest are shared with thieves. heist/deque
// has the real one, and says why.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace heist::analysis {

class split_deque {
 public:
  using job = std::uint32_t;

  bool empty() const { return jobs_.empty(); }
  std::size_t shared() const { return shared_; }
  std::uint64_t taken() const { return taken_; }  // by thieves, so far: the index of the oldest job

  void push(job j) { jobs_.push_back(j); }

  // The owner's next, the youngest.
  void pop() {
    jobs_.pop_back();
    come_down();
  }

  // The owner's, wherever it lies.
  template <class Is>
  void pop_if(Is is) {
    jobs_.erase(std::ranges::find_if(jobs_, is));
    come_down();
  }

  // A thief's, the oldest, shared or not.
  job take() {
    const job j = jobs_.front();
    jobs_.pop_front();
    if (shared_ > 0) --shared_;
    ++taken_;
    return j;
  }

  // The older half, rounded up.
  void share() { shared_ = std::max(shared_, half()); }

 private:
  std::size_t half() const { return (jobs_.size() + 1) / 2; }

  // The owner popped what was shared: of what is left it keeps the younger half.
  void come_down() {
    if (shared_ > jobs_.size()) shared_ = half();
  }

  std::deque<job> jobs_;
  std::size_t shared_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace heist::analysis
