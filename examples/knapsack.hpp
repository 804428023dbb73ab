#pragma once
// Backtrack search with a bound: the most value that fits into a knapsack. Item by item, take it or leave it; a branch
// that cannot beat the best found so far, not even if the next items could be cut to fit, is dropped. The best is
// shared: what one strand finds prunes all others.
//
// How many nodes are visited depends on which strand finds what first. The answer does not: nothing
// is dropped that is better than the best known.
//
// Work: the nodes visited, at worst 2ⁿ. Span Θ(n): a chain of n decisions.

#include <heist/heist.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

namespace examples {

struct item {
  long value, weight;
};

// Sorted by value for weight, the best first: the bound below needs it.
using items = std::span<const item>;

// No more can come of `rest` in `room`: whole items while they fit, and a part of the next one.
inline long bound(items rest, long room) {
  long value = 0;
  for (const item& next : rest) {
    if (next.weight > room) return value + next.value * room / next.weight;
    room -= next.weight;
    value += next.value;
  }
  return value;
}

inline void fill_knapsack_serial(items rest, long room, long value, long& best) {
  best = std::max(best, value);
  if (rest.empty() || value + bound(rest, room) <= best) return;
  const item& next = rest.front();
  if (next.weight <= room) fill_knapsack_serial(rest.subspan(1), room - next.weight, value + next.value, best);
  fill_knapsack_serial(rest.subspan(1), room, value, best);
}

inline long knapsack_serial(items all, long room) {
  long best = 0;
  fill_knapsack_serial(all, room, 0, best);
  return best;
}

// Relaxed: the best is a number that only grows. A strand that sees an old one drops less, never
// too much.
inline void raise(std::atomic<long>& best, long value) {
  long before = best.load(std::memory_order_relaxed);
  while (before < value && !best.compare_exchange_weak(before, value, std::memory_order_relaxed)) {
  }
}

inline void fill_knapsack(items rest, long room, long value, std::atomic<long>& best) {
  raise(best, value);
  if (rest.empty() || value + bound(rest, room) <= best.load(std::memory_order_relaxed)) return;
  const item& next = rest.front();
  if (next.weight > room) return fill_knapsack(rest.subspan(1), room, value, best);
  // The one more likely to be good comes first: a thief takes the other.
  heist::join([=, &best] { fill_knapsack(rest.subspan(1), room - next.weight, value + next.value, best); },
              [=, &best] { fill_knapsack(rest.subspan(1), room, value, best); });
}

inline long knapsack(items all, long room) {
  std::atomic<long> best = 0;
  fill_knapsack(all, room, 0, best);
  return best;
}

// Another way to the same answer, to check it: the most value for every room. Work Θ(n · room).
inline long knapsack_by_table(items all, long room) {
  std::vector<long> most(static_cast<std::size_t>(room) + 1);
  for (const item& next : all)
    for (auto r = static_cast<std::size_t>(room); r >= static_cast<std::size_t>(next.weight); --r)
      most[r] = std::max(most[r], most[r - static_cast<std::size_t>(next.weight)] + next.value);
  return most.back();
}

}  // namespace examples
