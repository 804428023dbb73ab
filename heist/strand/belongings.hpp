#pragma once
// What a strand has besides its place: its views of reducers (views/README.md) and, if it is measured, its
// clock (meter/README.md).

#include <heist/base/export.hpp>
#include <heist/base/fatal.hpp>
#include <heist/meter/clock.hpp>
#include <heist/views/view_map.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

struct belongings {
  // All that `later` has comes after what this has.
  void append(belongings&& later) {
    views.append(std::move(later.views));
    if (!later.clock) return;
    if (clock)
      clock->append(std::move(*later.clock));
    else
      clock = std::move(later.clock);
  }

  view_map views;  // first: what a look-up reads
  std::optional<strand_clock> clock;

  // In a scope's list.
  std::int64_t number = 0;
  belongings* next = nullptr;
};

// For the steps of a strand that cannot fail: keeps what it has, or ends the program.
template <class F>
void keep_belongings(F&& f) noexcept {
  if_there_is_memory("no memory to keep a strand's measurements and reducer views; the machine is short of memory",
                     std::forward<F>(f));
}

// The calling strand's, made if need be.
belongings& own_belongings();

// The calling strand gives all away. Null: it has none.
std::unique_ptr<belongings> give_belongings() noexcept;
// The calling strand, or a thread outside every pool: what was done after all it has done itself so far.
void receive_belongings(std::unique_ptr<belongings> later) noexcept;

}  // namespace heist::detail

HEIST_END
