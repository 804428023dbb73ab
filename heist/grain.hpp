#pragma once
// How finely a loop or an algorithm is cut, for those who know better.

#include <heist/base/export.hpp>

#include <cstddef>

HEIST_BEGIN

namespace heist {

// The most elements that are worked on without a fork between them; may be passed last. 0 counts as 1. For a reduction
// or a scan it is the size of a leaf of the combining tree, and so has a say in how floating-point sums round.
struct HEIST_TYPE grain {
  std::size_t size;
};

}  // namespace heist

HEIST_END
