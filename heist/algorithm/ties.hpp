#pragma once
// What a sort does with equal elements.

#include <heist/base/export.hpp>

HEIST_BEGIN

namespace heist::detail {

// Whether they must keep their order.
enum class ties : unsigned char { free, kept };

}  // namespace heist::detail

HEIST_END
