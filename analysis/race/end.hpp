#pragma once
// How a run that cannot go on ends.

namespace heist::race {

// Prints what was found so far, then this sentence, and ends the program with that status.
[[noreturn]] void end_with(const char* why, int status);

// The report of a process that ends without exit(), once: 66 if there are races, else 0.
int say_at_end();

}  // namespace heist::race
