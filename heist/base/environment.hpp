#pragma once
// Variables of the environment that heist reads, and what the program wants where they are not set.

#include <heist/base/export.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

HEIST_BEGIN

namespace heist::detail {

// What a variable is set to. Where it is not set, or to nothing: the program's own wish, or else "".
std::string_view text_from_environment(const char* variable);
// The program's wishes, by variable. The first call of the process decides. False: other wishes were decided on before.
using environment_wishes = std::map<std::string, std::string, std::less<>>;
bool wish_instead(environment_wishes all);

// The number in a variable; nothing if it is not set, or to nothing. Throws std::invalid_argument, naming value and
// range, if it is anything else.
HEIST_API std::optional<std::uint64_t> number_from_environment(const char* variable, std::uint64_t least,
                                                               std::uint64_t most);
// The same for one of some words, two at least: which of them it is, counted from 0.
std::optional<std::size_t> word_from_environment(const char* variable, std::initializer_list<const char*> words);

}  // namespace heist::detail

HEIST_END
