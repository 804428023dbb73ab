#pragma once
// The unit of sharing between cores.

#include <heist/base/export.hpp>

#include <cstddef>

HEIST_BEGIN

namespace heist::detail {

// Two 64-byte lines: x86 fetches them in pairs, and a few aarch64 cores have lines of 128.
inline constexpr std::size_t cache_line = 128;

}  // namespace heist::detail

HEIST_END
