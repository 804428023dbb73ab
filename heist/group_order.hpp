#pragma once
// group_order: in which order group_by, count_by and reduce_by_key return their groups.

#include <heist/base/export.hpp>

HEIST_BEGIN

namespace heist {

// The order in which their keys first appear in the range, or that of the keys, which then need <.
enum class group_order : unsigned char { first_appearance, keys };

}  // namespace heist

HEIST_END
