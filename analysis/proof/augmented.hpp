#pragma once
// The augmented dag G′: for each spawn u → v with continuation u → w, a deque edge w → v. In G′ what lies higher in a
// deque comes first, so that an instruction all of whose predecessors are executed is near a top.

#include <analysis/dag/dag.hpp>

#include <cstdint>
#include <vector>

namespace heist::analysis {

// Calls f(j) for each instruction j that follows i in G′.
template <class F>
void for_augmented_successors(const dag& d, id i, F&& f) {
  d.for_successors(i, f);
  const bool continues_spawn = i != d.threads[d.thread_of[i]].first && d.spawns[i - 1] != none;
  if (continues_spawn) f(d.threads[d.spawns[i - 1]].first);
}

// An order in which every instruction comes after all that precede it in G′. Shorter than the dag if G′ has a cycle.
std::vector<id> augmented_order(const dag& d);

// The most edges that leave one instruction of G′.
std::uint64_t augmented_degree(const dag& d);

// Instructions on a longest path of G′; at most 2·T∞. 0 if G′ has a cycle: then a join goes into the instruction right
// after a spawn.
std::uint64_t augmented_span(const dag& d);

}  // namespace heist::analysis
