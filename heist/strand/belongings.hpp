#pragma once
// What a strand takes along when it moves: its views of reducers (views/README.md) and, if it is
// measured, its clock (meter/README.md).

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
  // Everything in `later` comes after what is here.
  void append(belongings&& later);

  view_map views;  // first, because a look-up reads it
  std::optional<strand_clock> clock;

  // In a scope's list.
  std::int64_t number = 0;
  belongings* next = nullptr;
};

// For steps of a strand that must not fail: runs f, or ends the program if there is no memory.
template <class F>
void keep_belongings(F&& f) noexcept {
  if_there_is_memory("no memory to keep a strand's measurements and reducer views; the machine is short of memory",
                     std::forward<F>(f));
}

// The calling strand's belongings, made if needed.
belongings& own_belongings();

// The calling strand gives its belongings away. Null if it has none.
std::unique_ptr<belongings> give_belongings() noexcept;
// The calling strand, or a thread outside every pool, takes over what comes after everything it has
// done so far.
void receive_belongings(std::unique_ptr<belongings> later) noexcept;

}  // namespace heist::detail

HEIST_END
