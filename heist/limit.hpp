#pragma once
// limit: how much of a loop or a scope may run at once.

#include <heist/base/export.hpp>

#include <cstddef>

HEIST_BEGIN

namespace heist {

// Passed last to a loop, or to the constructor of a scope: at most so many of the loop's bodies, or of the scope's
// children, run at once. One that waits counts as running. 0 counts as 1.
struct HEIST_TYPE limit {
  std::size_t most;
};

}  // namespace heist

HEIST_END
