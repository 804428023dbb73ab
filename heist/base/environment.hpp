#pragma once
// Variables of the environment that heist reads.

#include <heist/base/export.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

HEIST_BEGIN

namespace heist::detail {

// The number in a variable; nothing if it is not set, or to nothing. Throws std::invalid_argument, naming value and
// range, if it is anything else.
HEIST_API std::optional<std::uint64_t> number_from_environment(const char* variable, std::uint64_t least,
                                                               std::uint64_t most);
// The same for one of some words, two at least: which of them it is, counted from 0.
std::optional<std::size_t> word_from_environment(const char* variable, std::initializer_list<const char*> words);

}  // namespace heist::detail

HEIST_END
