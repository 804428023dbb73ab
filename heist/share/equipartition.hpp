#pragma once
// Processors divided among those that want some: dynamic equipartition.

#include <heist/base/export.hpp>

#include <span>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// Nobody gets more than it desires, and nobody less than another one unless it desires no more. What cannot be divided goes
// to the first ones. A pool that desires any gets at least one, even if there are too few. After McCann, Vaswani and
// Zahorjan (1993).
std::vector<unsigned> equipartition(unsigned processors, std::span<const unsigned> desires);

}  // namespace heist::detail

HEIST_END
