#pragma once
// The environment variables that heist reads, and what the program asks for where they are not set.

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

// The value of a variable. If it is not set, or empty: the program's own wish, or else "".
std::string_view text_from_environment(const char* variable);
// The program's wishes, by variable. The first call in the process decides. False if an earlier
// call set other wishes.
using environment_wishes = std::map<std::string, std::string, std::less<>>;
bool wish_instead(environment_wishes all);

// The number in a variable; nothing if it is not set, or empty. Otherwise throws
// std::invalid_argument, which names the value and the range.
HEIST_API std::optional<std::uint64_t> number_from_environment(const char* variable, std::uint64_t least,
                                                               std::uint64_t most);
// The same for one of several words, at least two: the index of the word, from 0.
HEIST_API std::optional<std::size_t> word_from_environment(const char* variable,
                                                           std::initializer_list<const char*> words);

}  // namespace heist::detail

HEIST_END
