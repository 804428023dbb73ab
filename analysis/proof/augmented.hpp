#pragma once
// The augmented dag G′: for each spawn u → v with continuation u → w, a deque edge w → v. In G′ what lies higher in a
// deque comes first, so that an instruction all of whose predecessors are executed is near a top.

#include <analysis/dag/dag.hpp>

namespace heist::analysis {

// Calls f(j) for each instruction j that follows i in G′.
template <class F>
void for_augmented_successors(const dag& d, id i, F&& f) {
  d.for_successors(i, f);
  const bool continues_spawn = i != d.threads[d.thread_of[i]].first && d.spawns[i - 1] != none;
  if (continues_spawn) f(d.threads[d.spawns[i - 1]].first);
}

// Instructions on a longest path of G′; at most 2·T∞. 0 if G′ has a cycle: then a join goes into the instruction right
// after a spawn.
std::uint64_t augmented_span(const dag& d);

}  // namespace heist::analysis
