#pragma once
// Messages, and the end of a program that cannot continue.

#include <heist/base/export.hpp>

#include <new>

HEIST_BEGIN

namespace heist::detail {

// Prints "heist: <sentence>" on stderr and aborts. Every sentence is listed in docs/guides/troubleshooting.md.
[[noreturn]] HEIST_API void fatal(const char* sentence) noexcept;

// Calls f where std::bad_alloc cannot be reported: if there is no memory, the program ends with the
// sentence.
template <class F>
void if_there_is_memory(const char* sentence, F&& f) noexcept {
  try {
    f();
  } catch (const std::bad_alloc&) {
    fatal(sentence);
  }
}

// Prints "heist: <sentence>" on stderr.
void say(const char* sentence) noexcept;

}  // namespace heist::detail

HEIST_END
