#pragma once
// What `heist race` asks of the program, in the variable HEIST_RACE.

#include <analysis/race/memory.hpp>

namespace heist::race {

// name=value or name, separated by new lines: paths may have any other character in them.
struct settings {
  bool determinacy = false;
  bool first = false;     // end at the first race
  bool reversed = false;  // the second branch first
  bool quiet = false;     // no report on stderr
  own_string json;        // where to write the report as JSON
  own_string suppress;    // a file of names
  own_string watch;       // a file with addresses and codes, for --stacks; empty in the first run
  own_string addresses;   // a file for forks and accesses: no races are looked for
  std::size_t sample = 1;  // one block of memory in so many is written down there

  void read(const char* text);
};

extern late<settings> late_settings;
inline settings& the_settings = late_settings.value;

// Ends the program after its first race, as --first asks, if that is not one that the user does not want to see.
void end_if_not_suppressed();

}  // namespace heist::race
