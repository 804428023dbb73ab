#pragma once
// The calls that the running strand is in, as the compilers' instrumentation tells them.

#include <cstddef>

namespace heist::race {

struct calls {
  static constexpr std::size_t most = std::size_t{1} << 26;

  bool map() noexcept;
  void enter(const void* from) noexcept {
    if (depth < most) [[likely]] places[depth] = from;
    ++depth;
  }
  void leave() noexcept {
    if (depth > 0) --depth;
  }
  // The callers, the last first; returns how many.
  std::size_t copy(const void** to, std::size_t room) const noexcept {
    std::size_t n = 0;
    for (std::size_t d = depth < most ? depth : most; d > 0 && n < room; ++n) to[n] = places[--d];
    return n;
  }

  const void** places = nullptr;
  std::size_t depth = 0;
  std::size_t watched = 0;  // sweeps are open in calls as deep as that (sweeps.hpp)
};

extern calls call_stack;

}  // namespace heist::race
