#pragma once
// The first place where something holds: see README.md, "Searches".

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/enter.hpp>
#include <heist/algorithm/function.hpp>
#include <heist/algorithm/pace.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/cpu.hpp>
#include <heist/base/export.hpp>
#include <heist/sched/fork.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// Advances k to the first match, or to b; returns whether there was a match. Unrolled by four. If
// holds() throws, k is where it threw; inlined, so that k need not be in memory for that.
template <class Holds>
HEIST_INLINE bool look(std::size_t& k, std::size_t b, const Holds& holds) {
  for (const std::size_t fours = b - (b - k) % 4; k != fours; ++k) {
    if (holds(k)) return true;
    if (holds(++k)) return true;
    if (holds(++k)) return true;
    if (holds(++k)) return true;
  }
  for (; k != b; ++k)
    if (holds(k)) return true;
  return false;
}

// Searches for the first k with holds(k). An exception ends the search at its place, like a match.
// It is not thrown at once: if there is a match before it, the serial program would not have got
// there.
template <class Holds, class Options>
class search_body {
 public:
  static constexpr std::size_t nowhere = ~std::size_t{0};

  // What comes after `front` no longer matters. All strands of the search share it.
  search_body(Holds& holds, const Options& options, std::atomic<std::size_t>& front) noexcept
      : holds_(holds), options_(options), front_(front) {}

  void operator()(std::size_t a, std::size_t b) {
    options_.check();
    if (a > front_.load(std::memory_order_relaxed)) return;
    std::size_t k = a;
    try {
      if (!detail::look(k, b, local_function(holds_))) return;
    } catch (...) {
      failure_ = carry_exception();
    }
    place_ = k;
    std::size_t seen = front_.load(std::memory_order_relaxed);
    while (k < seen && !front_.compare_exchange_weak(seen, k, std::memory_order_relaxed)) {
    }
  }
  search_body fork() const noexcept { return {holds_, options_, front_}; }
  void merge(search_body&& later) noexcept {
    if (ended()) return;
    place_ = later.place_;
    failure_ = std::move(later.failure_);
  }

  bool ended() const noexcept { return place_ != nowhere; }
  // The first match, or `nowhere`; throws what was thrown before it.
  std::size_t place() const {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
    return place_;
  }

 private:
  Holds& holds_;
  const Options& options_;
  std::atomic<std::size_t>& front_;
  std::size_t place_ = nowhere;
  std::exception_ptr failure_;
};

// Searches [lo, n) serially, lo < n, until there is a match or the next window is worth a fork.
// Returns how far it got. Reading the clock costs as much as some tens of plain elements, so blocks
// grow faster than a loop's once enough is known.
template <class Body>
std::size_t look_on(std::size_t lo, std::size_t n, pace& p, Body& body) {
  std::uint64_t start = ticks();
  for (;;) {
    const bool last = p.block() >= n - lo;
    const std::size_t end = last ? n : lo + p.block();
    body(lo, end);
    if (last || body.ended()) return end;
    const std::uint64_t now = ticks();
    p.took(end - lo, now - start, end - lo < 64 ? pace::usual_growth : 4 * pace::usual_growth);
    lo = end;
    if (p.worth_a_fork(std::min(lo, n - lo))) return lo;
    start = now;
  }
}

// Returns the first k < n with holds(k), or n. Searches window by window, each as long as all
// before it. So, if the match is k, holds() is called for fewer than 2k + 2 elements on every
// schedule. Windows that are not worth a fork, judging by the time of earlier ones, are searched
// serially. The first window may be longer if calls of holds() cannot be observed.
template <class Holds, option... O>
std::size_t first_place(std::size_t n, Holds&& holds, const options_of<O...>& o, std::size_t first_window = 1) {
  static_assert(no_limit_here<options_of<O...>>());
  using body_type = search_body<Holds, options_of<O...>>;
#if defined(HEIST_RACE)
  const race::algorithm whole;
#endif
  std::atomic<std::size_t> front{n};
  body_type body(holds, o, front);
  const std::size_t window = std::min(first_window, n);
  if (n > 0) body(0, window);
  if (!body.ended() && window < n) {
    in_a_pool([&] {
      pace p = pace::of(n, first_window);
      for (std::size_t lo = window; lo < n && !body.ended();) {
        const std::size_t hi = lo + std::min(lo, n - lo);
        if constexpr (options_of<O...>::has_grain) {
          detail::halve(lo, hi, o.grain_or(1), body);
          lo = hi;
        } else if (p.worth_a_fork(hi - lo)) {
          detail::work_through(lo, hi, p, body);
          lo = hi;
        } else {
          lo = detail::look_on(lo, n, p, body);
        }
      }
    });
  }
  const std::size_t place = body.place();
  return place == body_type::nowhere ? n : place;
}

}  // namespace heist::detail

HEIST_END
