#pragma once
// Loops that split when somebody is hungry: see README.md, "The lazy split".

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/enter.hpp>
#include <heist/base/cpu.hpp>
#include <heist/join.hpp>
#include <heist/sched/hunger.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heist::detail {

// How far a strand works on before it looks up: its own, never shared.
class pace {
 public:
  // Of a strand whose loop nobody has robbed.
  pace() = default;
  // Of a thief, or of one who was robbed.
  static pace contested() noexcept { return pace(true); }
  void contest() noexcept {
    if (contested_) return;
    *this = contested();
  }

  std::size_t block() const noexcept { return block_; }
  // What is not worth a fork.
  std::size_t crumb() const noexcept { return block_ / 8; }

  // Whether a block is timed before so many: a steal has been paid for, or the loop is long.
  bool timed(std::size_t left) const noexcept { return contested_ || (block_ >= 32 && left >= 512); }
  void untimed_block_done() noexcept { block_ *= 2; }
  // In proportion, towards blocks of a few microseconds; not too fast, as a few elements may not be like the rest.
  void block_took(std::uint64_t time) noexcept {
    const std::uint64_t right = block_ * few_microseconds_in_ticks() / std::max<std::uint64_t>(time, 1);
    block_ = static_cast<std::size_t>(std::clamp<std::uint64_t>(right, 1, std::min<std::uint64_t>(block_ * 8, longest)));
  }

 private:
  explicit pace(bool c) noexcept : contested_(c) {}

  static constexpr std::uint64_t longest = std::uint64_t{1} << 40;  // of elements that take no time at all

  std::size_t block_ = 1;
  bool contested_ = false;
};

// Calls body(a, b) for consecutive pieces of [lo, hi), in growing blocks, giving away the far half of what is left
// whenever there is nothing to steal. `given`: something was left there, so that who finds nothing was robbed.
template <class Body>
void work_through(std::size_t lo, std::size_t hi, pace& p, Body& body, bool given) {
  for (;;) {
    const std::size_t left = hi - lo;
    if (left > std::max<std::size_t>(p.crumb(), 1) && nothing_to_steal()) {
      if (given) p.contest();
      const std::size_t middle = hi - left / 2;
      const fork_place fork;
      join([&, lo, middle] { work_through(lo, middle, p, body, true); },
           [&, middle, hi, fork] {
             if (!fork.stolen()) return work_through(middle, hi, p, body, false);
             pace mine = pace::contested();
             work_through(middle, hi, mine, body, false);
           });
      return;
    }
    const bool last = p.block() >= left;
    const bool timed = !last && p.timed(left);
    const std::uint64_t start = timed ? ticks() : 0;
    const std::size_t end = last ? hi : lo + p.block();
    body(lo, end);
    if (last) return;
    timed ? p.block_took(ticks() - start) : p.untimed_block_done();
    lo = end;
  }
}

// The loop with a grain: halves until no more than `most` are left. Work n, span lg n and one grain.
template <class Body>
void halve(std::size_t lo, std::size_t hi, std::size_t most, Body& body) {
  if (hi - lo <= most) return body(lo, hi);
  const std::size_t middle = lo + (hi - lo) / 2;
  join([=, &body] { halve(lo, middle, most, body); }, [=, &body] { halve(middle, hi, most, body); });
}

// Calls body(a, b) for pieces that make up [0, n), possibly in parallel: in order on one worker, each piece once.
template <class Body, option... O>
void for_pieces(std::size_t n, Body&& body, const options_of<O...>& o) {
  auto checked = [&](std::size_t a, std::size_t b) {
    o.check();
    body(a, b);
  };
  if (n <= o.grain_or(1)) {
    if (n > 0) checked(0, n);
    return;
  }
  in_a_pool([&] {
    if constexpr (options_of<O...>::has_grain) {
      halve(0, n, o.grain_or(1), checked);
    } else {
      pace p;
      work_through(0, n, p, checked, false);
    }
  });
}

}  // namespace heist::detail
