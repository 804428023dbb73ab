#pragma once
// Variables of the environment that heist reads.

#include <optional>

namespace heist::detail {

// The number in a variable; nothing if it is not set. Throws std::invalid_argument, naming value and range, if it is
// anything else.
std::optional<unsigned> number_from_environment(const char* variable, unsigned least, unsigned most);

}  // namespace heist::detail
