#pragma once
// Time as a count of nanoseconds.

#include <heist/base/chrono.hpp>
#include <heist/base/export.hpp>

#include <cstdint>
#include <limits>

HEIST_BEGIN

namespace heist::detail {

using nanoseconds = std::int64_t;

// As a deadline: none.
inline constexpr nanoseconds never = std::numeric_limits<nanoseconds>::max();

inline nanoseconds now() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace heist::detail

HEIST_END
