#pragma once
// grain: how finely a loop or an algorithm is split, if you want to set it yourself.

#include <heist/base/export.hpp>

#include <cstddef>

HEIST_BEGIN

namespace heist {

// The largest number of elements that run without a fork between them. It is passed last, with
// a stop token and other options in any order. 0 counts as 1. For a reduction or a scan it is the size
// of a leaf of the combining tree, so it affects how floating-point sums round.
struct HEIST_TYPE grain {
  std::size_t size;
};

}  // namespace heist

HEIST_END
