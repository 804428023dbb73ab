#pragma once
// What takes the calls that fit no form of a function, to say in one sentence what fits: compilers list every form with the
// reason why it does not, up to 160 lines.

#include <heist/base/export.hpp>

#define HEIST_ANYTHING ::heist::detail::anything = {}
#define HEIST_FOUR_OF_ANYTHING HEIST_ANYTHING, HEIST_ANYTHING, HEIST_ANYTHING, HEIST_ANYTHING

// Beside the forms of a function, or in a class whose objects are called. Of several such calls of one function in a file
// the compiler reports the first. (A lambda as the default argument would make each another one, but then clang 14 crashes
// where it reads a precompiled header.)
#define HEIST_NO_SUCH_FORM(function, sentence)                                                     \
  template <bool form = false>                                                                     \
  ::heist::detail::no_result function(HEIST_FOUR_OF_ANYTHING, HEIST_FOUR_OF_ANYTHING) {            \
    static_assert(form, sentence);                                                                 \
    return {};                                                                                     \
  }
#define HEIST_NO_SUCH_CALL(sentence)                                                               \
  template <bool form = false>                                                                     \
  ::heist::detail::no_result operator()(HEIST_FOUR_OF_ANYTHING, HEIST_FOUR_OF_ANYTHING) const {    \
    static_assert(form, sentence);                                                                 \
    return {};                                                                                     \
  }

HEIST_BEGIN

namespace heist::detail {

// A conversion to it is worse than any that a form of a function asks for, so it takes only what no form takes.
struct anything {
  anything() noexcept = default;
  template <class T>
  anything(T&&) noexcept {}
};
// Stands wherever the result would have stood, so that there is no second complaint.
struct no_result {
  template <class T>
  operator T() const noexcept {
    __builtin_unreachable();
  }
};

}  // namespace heist::detail

HEIST_END
