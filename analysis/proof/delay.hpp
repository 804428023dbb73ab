#pragma once
// Delay sequences (Blumofe and Leiserson, Definition 8): what a run with many steal attempts must contain. A path U
// through G′ is followed back from the last instruction, always to the predecessor that was executed last. Then some
// instruction of U is critical in every step, and Π tells for each how many rounds of steal attempts it sat through.

#include <analysis/proof/critical.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace heist::analysis {

// (U, R, Π)
struct delay_sequence {
  struct part {
    id instruction;             // u_i
    std::uint64_t rounds = 0;   // π_i: the rounds of its group, which occur while it is critical
    std::uint64_t between = 0;  // π′_i: 1 if a round begins while it is critical and ends later
  };
  std::vector<part> path;
  std::uint64_t rounds = 0;  // R
};

// Of the first ⌊attempts / 4P⌋ rounds of the run that was watched.
delay_sequence find_delay_sequence(const dag& d, const critical_watch& seen, std::uint32_t processors);

// What is wrong with it as a delay sequence that occurs: conditions of Definition 8, and Lemma 9. Empty: nothing. It
// knows nothing about how the sequence was found.
std::vector<std::string> check_delay_sequence(const delay_sequence& s, const dag& d, const critical_watch& seen);

// The event that Lemma 11 bounds: of the attempts in all rounds of a group but the last, at most one chose the
// processor that held the group's instruction.
struct group_of_rounds {
  id instruction;
  std::uint64_t rounds;  // π_i, at least 1
  std::uint64_t hits;    // attempts in the first π_i − 1 rounds at that processor
};
std::vector<group_of_rounds> groups(const delay_sequence& s, const critical_watch& seen);

}  // namespace heist::analysis
