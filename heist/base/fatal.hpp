#pragma once
// The end of a program that cannot go on, said in one sentence.

namespace heist::detail {

// Prints "heist: <sentence>" on stderr and aborts. Every sentence is listed in docs/troubleshooting.md.
[[noreturn]] void fatal(const char* sentence) noexcept;

// Prints "heist: <sentence>" on stderr.
void say(const char* sentence) noexcept;

}  // namespace heist::detail
