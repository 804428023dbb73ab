#pragma once
// Moves marked elements together and keeps their order.

#include <heist/algorithm/buffer.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/marks.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>
#include <heist/pool.hpp>
#include <heist/sched/hunger.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>

HEIST_BEGIN

namespace heist::detail {

// Elements that are already in place must not be moved onto themselves.
template <class I>
void move_to(const I& to, const I& from) {
  if (from != to) *to = std::ranges::iter_move(from);
}

// Moves the marked elements to the front of the range, in place, in rounds. A stretch of blocks can
// move at once if all its elements go before its own first block. If there is no such room yet,
// they go through a buffer of an eighth of the range. So there are at most about sixteen rounds.
// Work n; span lg n and a block for each round.
template <class I, class How>
class compaction {
 public:
  compaction(const How& how, I first, const marks& m) : how_(how), first_(first), marks_(m) {}

  // Returns how many there are.
  std::size_t run() {
    const mark_blocks& all = marks_.blocks();
    std::size_t block = marks_.first_incomplete();
    // On one worker, or for a few blocks: one block after the other, which needs no room.
    if (all.count() - block < 16 || workers_here() == 1 || splits_by_count()) {
      for (; block < all.count(); ++block) move_down(block);
      return marks_.total();
    }
    const std::size_t stretch = all.elements() / 8;
    buffer<std::iter_value_t<I>, How> room(how_, stretch);
    while (block < all.count()) {
      const std::size_t reach = marks_.block_past(block, all.begin(block));
      if (reach == all.count() || all.begin(reach) - all.begin(block) >= stretch) {
        detail::for_each_block(how_, block, reach, [this](std::size_t k) { move_down(k); });
        block = reach;
      } else {
        const std::size_t end = marks_.block_past(block, marks_.before(block) + stretch);
        move_through(room, block, end);
        block = end;
      }
    }
    return marks_.total();
  }

 private:
  using value = std::iter_value_t<I>;

  void move_down(std::size_t block) {
    I to = detail::at(first_, marks_.before(block));
    marks_.each_marked(block, [&](std::size_t i) { detail::move_to(to++, detail::at(first_, i)); });
  }

  void move_through(buffer<value, How>& room, std::size_t block, std::size_t end) {
    const std::size_t start = marks_.before(block), n = marks_.before(end) - start;
    room.fill(
        block, end, [&](std::size_t k) { return marks_.before(k) - start; },
        [&](std::size_t k, auto& add) {
          marks_.each_marked(k, [&](std::size_t i) { add(std::ranges::iter_move(detail::at(first_, i))); });
        });
    detail::in_pieces(how_, n, how_.grain(), [&](std::size_t from, std::size_t to) {
      std::move(room.begin() + from, room.begin() + to, detail::at(first_, start + from));
    });
    room.empty();
  }

  const How& how_;
  const I first_;
  const marks& marks_;
};

// Moves the marked elements to the front and the others behind them, both in order. The others go
// through a buffer. Work n, span as above.
template <class I, class How>
void separate(const How& how, I first, const marks& m) {
  const std::size_t rest = m.blocks().elements() - m.total();
  if (rest == 0) return;
  buffer<std::iter_value_t<I>, How> room(how, rest);
  room.fill(
      m.first_incomplete(), m.blocks().count(), [&](std::size_t k) { return m.unmarked_before(k); },
      [&](std::size_t k, auto& add) {
        m.each_unmarked(k, [&](std::size_t i) { add(std::ranges::iter_move(detail::at(first, i))); });
      });
  compaction(how, first, m).run();
  detail::in_pieces(how, rest, how.grain(), [&](std::size_t from, std::size_t to) {
    std::move(room.begin() + from, room.begin() + to, detail::at(first, m.total() + from));
  });
}

}  // namespace heist::detail

HEIST_END
