#pragma once
// Loops that split when another worker is idle: see README.md, "The lazy split".

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/enter.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/lanes.hpp>
#include <heist/algorithm/pace.hpp>
#include <heist/base/export.hpp>
#include <heist/race/strands.hpp>
#include <heist/sched/hunger.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// What a loop does. body(a, b) works on the elements [a, b). A thief works with its own body, from
// fork(). fork() may read only what never changes, because the original may be in use. merge()
// takes over what the thief has found, further on in the range.
template <class B>
concept loop_body = std::move_constructible<B> && requires(B b, const B c, std::size_t i) {
  b(i, i);
  { c.fork() } -> std::same_as<B>;
  b.merge(std::move(b));
};

// A body that finds nothing and only calls f(a, b).
template <class F, class Options>
struct plain_body {
  F& f;
  const Options& options;

  void operator()(std::size_t a, std::size_t b) {
    options.check();
    f(a, b);
    options.did(b - a);
  }
  plain_body fork() const noexcept { return *this; }
  void merge(plain_body&&) noexcept {}
};
template <class B>
inline constexpr bool is_plain = false;
template <class F, class Options>
inline constexpr bool is_plain<plain_body<F, Options>> = true;

// Rounds the border between long pieces to a multiple of vectors: vectorised loops are faster on
// aligned pieces.
constexpr std::size_t round(std::size_t place, std::size_t piece) noexcept {
  return piece >= 64 ? place & ~std::size_t{15} : place;
}

// Works on growing blocks of [lo, hi) until another worker is idle and there is something to give
// away. Returns how far it got, at least one block. Not inlined: it has several callers, and
// contains the user's loop.
template <loop_body Body>
[[gnu::noinline]] std::size_t work_on(std::size_t lo, std::size_t hi, pace& p, Body& body) {
  for (;;) {
    const std::size_t left = hi - lo;
    const bool last = p.block() >= left;
    const std::size_t end = last ? hi : round(lo + p.block(), p.block());
    const std::size_t size = end - lo;
    const bool timed = !last && p.timed(size, left);
    const std::uint64_t start = timed ? ticks() : 0;
    body(lo, end);
    if (last) return hi;
    timed ? p.took(size, ticks() - start) : p.did(size);
    lo = end;
    if (p.worth_a_fork(hi - lo) && nothing_to_steal()) return lo;
  }
}

// Works on all of [lo, hi), lo < hi, and gives away the far half of the rest whenever there is
// nothing to steal.
template <loop_body Body>
void work_through(std::size_t lo, std::size_t hi, pace& p, Body& body) {
  do {
    const std::size_t left = hi - lo;
    if (!p.worth_a_fork(left) || !nothing_to_steal()) {
      lo = detail::work_on(lo, hi, p, body);
      continue;
    }
    const std::size_t middle = round(hi - left / 2, left);
    const fork_place fork;
    const bool measured = is_measured();
    const bool expected = !p.contested() && thief_at_hand();
    if (p.contested() || expected) expect_a_thief();
    const std::uint64_t start = expected ? ticks() : 0;
    std::optional<Body> thiefs;
    const auto [near, far_done] = detail::join_out_of_line(
        [&, lo, middle] {
          const std::size_t reached = detail::work_on(lo, middle, p, body);
          if (reached != middle) {
            p.contest();
            detail::work_through(reached, middle, p, body);
          }
          if (expected) note_half(ticks() - start);
        },
        // If it was not stolen it does not run here, unless it is measured: the loop continues with
        // it, on the same frame.
        [&, middle, hi, fork, measured] {
          if (fork.stolen()) {
            pace mine = p.for_thief();
            detail::work_through(middle, hi, mine, thiefs.emplace(body.fork()));
          } else if (measured) {
            detail::work_through(middle, hi, p, body);
          } else {
            return false;
          }
          return true;
        });
    if (thiefs) body.merge(std::move(*thiefs));
    if (far_done) return;
    lo = middle;
  } while (lo != hi);
}

// The loop with a grain: halves the range until at most `most` elements are left. Work n, span lg n
// and one grain.
template <loop_body Body>
void halve(std::size_t lo, std::size_t hi, std::size_t most, Body& body) {
  if (hi - lo <= most) return body(lo, hi);
  const std::size_t middle = lo + (hi - lo) / 2;
  const fork_place fork;
  std::optional<Body> thiefs;
  detail::join_out_of_line([=, &body] { detail::halve(lo, middle, most, body); }, [=, &body, &thiefs] {
    detail::halve(middle, hi, most, fork.stolen() ? thiefs.emplace(body.fork()) : body);
  });
  if (thiefs.has_value()) body.merge(std::move(*thiefs));
}

// Works on [0, n), possibly in parallel; in order on one worker, each piece once. Ranges up to
// `not_worth_it`, or up to the grain, run inline on the caller. `least` elements are not worth a
// fork, however expensive they are.
template <loop_body Body, option... O>
void loop(std::size_t n, Body& body, const options_of<O...>& o, std::size_t not_worth_it = 1, std::size_t least = 1) {
  static_assert(no_limit_in_fold<options_of<O...>>());
#if defined(HEIST_RACE)
  // Every two iterations are parallel. A body that collects something is an algorithm with callbacks.
  static_cast<void>(not_worth_it);
  static_cast<void>(least);
  if constexpr (is_plain<Body>) {
    race::for_all(n, [&](std::size_t i) { body(i, i + 1); });
  } else {
    const race::algorithm whole;
    if (n > 0) body(0, n);
  }
  return;
#endif
  if (n <= o.grain_or(std::max(not_worth_it, least))) {
    if (n > 0) body(0, n);
    return;
  }
  in_a_pool([&] {
    if constexpr (options_of<O...>::has_grain) {
      detail::halve(0, n, o.grain_or(1), body);
    } else {
      pace p = pace::of(n, not_worth_it, least);
      detail::work_through(0, n, p, body);
    }
  });
}

// The loop with an affinity: each worker begins with the parts that it had before.
template <loop_body Body, option... O>
void loop_at_homes(std::size_t n, Body& body, const options_of<O...>& o) {
#if defined(HEIST_RACE)
  static_cast<void>(o);
  race::for_all(n, [&](std::size_t i) { body(i, i + 1); });
#else
  auto piece = [](void* loop, std::size_t a, std::size_t b) { (*static_cast<Body*>(loop))(a, b); };
  o.homes().run(n, piece, &body, options_of<O...>::has_grain ? o.grain_or(1) : 0);
#endif
}

// Calls f(a, b) for pieces that together make up [0, n).
template <class F, option... O>
void for_pieces(std::size_t n, F&& f, const options_of<O...>& o, std::size_t not_worth_it = 1) {
  if (n == 0) return;
  plain_body<F, options_of<O...>> body{f, o};
  detail::until_stopped(o, [&] {
    if constexpr (options_of<O...>::has_limit)
      detail::loop_in_lanes(n, body, o);
    else if constexpr (options_of<O...>::has_affinity)
      detail::loop_at_homes(n, body, o);
    else
      detail::loop(n, body, o, not_worth_it);
  });
}

}  // namespace heist::detail

HEIST_END
