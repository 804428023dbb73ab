#pragma once
// How often a strand that is at work on a block looks whether something before it has failed, or a stop was requested. A block of
// cheap elements is not worth a second look; of elements that take milliseconds, every one is.

#include <heist/base/cpu.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// Where elements are compared only, nobody looks at the clock: after so many a strand looks whether to stop.
inline constexpr std::ptrdiff_t elements_between_looks = 64;

// One for all strands of a call: what one has learned about the elements serves the others.
class lookout {
 public:
  // Calls f(a, b) for consecutive pieces of [lo, hi), and how.check() before each. A piece takes about ten microseconds, as those
  // of loops do; a long one ends at a multiple of 64.
  template <class How, class F>
  void through(const How& how, std::size_t lo, std::size_t hi, F&& f) {
    how.check();
    if (hi - lo <= first) return f(lo, hi);
    for (;;) {
      const std::size_t size = size_.load(std::memory_order_relaxed);  // a guess, and never wrong
      const std::size_t end = size < hi - lo ? round(lo, lo + size) : hi;
      const std::uint64_t start = ticks();
      f(lo, end);
      note(end - lo, ticks() - start);
      if (end == hi) return;
      lo = end;
      how.check();
    }
  }

 private:
  static constexpr std::size_t first = 16;  // elements before the first look at the clock: a short call needs none

  static constexpr std::size_t round(std::size_t lo, std::size_t end) noexcept {
    const std::size_t whole = end & ~std::size_t{63};
    return whole > lo && end - lo >= 64 ? whole : end;
  }
  // Grows slowly: a few elements may not be like the rest.
  void note(std::size_t size, std::uint64_t time) noexcept {
    const std::uint64_t right = size * ten_microseconds_in_ticks() / std::max<std::uint64_t>(time, 1);
    size_.store(std::clamp<std::uint64_t>(right, 1, 8 * size), std::memory_order_relaxed);
  }

  std::atomic<std::size_t> size_ = first;
};

// A predicate or comparison for one strand, which looks likewise between its calls. For algorithms that may be left at any call.
template <class How, class Pred>
class looking_predicate {
 public:
  looking_predicate(const How& how, Pred& pred) noexcept : how_(how), pred_(pred), start_(ticks()) {}

  template <class... X>
  bool operator()(X&&... x) {
    if (left_ == 0) [[unlikely]] look();
    --left_;
    return pred_(std::forward<X>(x)...);
  }

 private:
  HEIST_COLD void look() {
    how_.check();
    const std::uint64_t now = ticks();
    const std::uint64_t right = size_ * ten_microseconds_in_ticks() / std::max<std::uint64_t>(now - start_, 1);
    left_ = size_ = std::clamp<std::uint64_t>(right, 1, 8 * size_);
    start_ = now;
  }

  const How& how_;
  Pred& pred_;
  std::uint64_t start_;
  std::size_t size_ = 16, left_ = 16;
};

}  // namespace heist::detail

HEIST_END
