#pragma once
// Says what was found.

namespace heist::race {

// Prints the report, and writes it as JSON where that is asked for. Returns 66 if there are races, 0 if not.
int report();
// Whether there is a race that is not suppressed.
bool any_to_report();
void say_interrupted(int signal);

}  // namespace heist::race
