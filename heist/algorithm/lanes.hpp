#pragma once
// Loops with a heist::limit: as many strands as the limit allows take one block after the other, in the order of the range.
// A body that waits keeps its strand, so it counts.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/enter.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/pace.hpp>
#include <heist/sched/hunger.hpp>
#include <heist/base/cpu.hpp>
#include <heist/base/export.hpp>
#include <heist/sched/fork.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// What the lanes of one loop share.
class lane_board {
 public:
  explicit lane_board(std::size_t n) noexcept : n_(n) {}

  // The next `most` elements: [first, last), empty if nothing is left, or something before them has failed.
  std::pair<std::size_t, std::size_t> take(std::size_t most) noexcept {
    std::size_t first = next_.load(std::memory_order_relaxed);
    std::size_t last;
    do {
      if (first >= n_) return {n_, n_};
      last = first + std::min(most, n_ - first);
    } while (!next_.compare_exchange_weak(first, last, std::memory_order_relaxed));
    return {first, last};
  }
  // In a catch (...), for a block that began at `first`. Blocks are taken in order, so every block before it has begun, and
  // goes on; the first failure in the order of the range is kept. A block that was stopped yields to one that failed.
  HEIST_COLD void fail(std::size_t first) noexcept {
    next_.store(n_, std::memory_order_relaxed);
    const bool stopped = handles_cancelled();
    const std::lock_guard hold(lock_);
    if (failure_ != nullptr && (stopped == stopped_ ? failed_at_ < first : stopped)) return;
    failure_ = carry_exception();
    failed_at_ = first;
    stopped_ = stopped;
  }
  // When all lanes have ended.
  void rethrow() {
    if (failure_ != nullptr) std::rethrow_exception(std::move(failure_));
  }

 private:
  const std::size_t n_;
  std::atomic<std::size_t> next_{0};
  std::mutex lock_;
  std::exception_ptr failure_;
  std::size_t failed_at_ = 0;
  bool stopped_ = false;  // failure_ is heist::cancelled
};

template <class Body, option... O>
void loop_in_lanes(std::size_t n, Body& body, const options_of<O...>& o) {
  if (n == 0) return;
  lane_board board(n);
  auto lane = [&](std::size_t) {
    pace p;
    for (;;) {
      const auto [first, last] = board.take(o.grain_or(p.block()));
      if (first == last) return;
      const std::uint64_t start = ticks();
      try {
        body(first, last);
      } catch (...) {
        return board.fail(first);
      }
      p.took(last - first, ticks() - start);
    }
  };
  const std::size_t lanes = std::min(o.most_at_once(), n);
  if (lanes == 1) {
    lane(0);
  } else {
    const options_of none;
    const forking how(none, 1);
    // Which lane gets a block depends on the schedule: one takes them all, if that must not be.
    in_a_pool([&] { splits_by_count() ? lane(0) : detail::for_each_block(how, 0, lanes, lane); });
  }
  board.rethrow();
}

}  // namespace heist::detail

HEIST_END
