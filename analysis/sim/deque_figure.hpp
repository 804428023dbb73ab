#pragma once
// Deques as pictures (SVG), as in figures 3, 4 and 5 of Blumofe and Leiserson.

#include <analysis/sim/deques.hpp>

#include <optional>
#include <string>

namespace heist::analysis {

// Where something happened: a step (from 0), and a processor.
struct deque_moment {
  std::size_t step;
  id processor;
};

// The one with the most threads in the deque before or after, and of these the first; nothing if it never happened.
std::optional<deque_moment> best_moment(const deque_table& t, deque_event what);
// The step after which a deque is longest.
std::optional<deque_moment> longest_deque(const deque_table& t);

// The processor before the step and after it.
std::string before_and_after(const dag& d, const deque_table& t, deque_moment when, const std::string& title);
// One processor after a step: the threads, which of their instructions is ready, and who spawned whom.
std::string structure(const dag& d, const deque_table& t, deque_moment when, const std::string& title);

}  // namespace heist::analysis
