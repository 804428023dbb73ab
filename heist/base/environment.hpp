#pragma once
// Variables of the environment that heist reads.

#include <heist/base/export.hpp>

#include <optional>

HEIST_BEGIN

namespace heist::detail {

// The number in a variable; nothing if it is not set, or to nothing. Throws std::invalid_argument, naming value and range, if it is
// anything else.
HEIST_API std::optional<unsigned> number_from_environment(const char* variable, unsigned least, unsigned most);

}  // namespace heist::detail

HEIST_END
