#pragma once
// The parts of bench/contrasts: each prints its tables. docs/evidence/contrasts.md shows what they say.

#include <bench/common/bench.hpp>

namespace contrasts {

// How much: a whole run, or just enough to see that everything works.
struct size {
  int rounds;
  bool small;

  int of(int whole, int smoke) const { return small ? smoke : whole; }
};

void deques(const size& s);         // Chase–Lev, a lock, THE
void queues(const size& s);         // a deque each, one queue for all, work sharing
void partition(const size& s);      // static partition, stealing
void order(const size& s);          // LIFO, FIFO at the owner's end
void space(const size& s);          // continuation stealing, child stealing
void false_sharing(const size& s);  // with and without heist::padded
void costs(const size& s);          // what heist's steps cost

}  // namespace contrasts
