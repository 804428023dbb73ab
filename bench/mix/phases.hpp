#pragma once
// The program of which several share the machine: serial phases and parallel ones in turns. Each runtime brings its own loop.

namespace mix {

struct load {
  int turns = 0;        // a serial phase and a parallel one each
  long steps = 0;       // of one item
  int serial = 0;       // items of a serial phase
  int parallel = 0;     // items of a parallel phase
  int items() const { return turns * (serial + parallel); }
};

// About a nanosecond a step: a chain of dependent multiplications.
inline unsigned long item(long steps, unsigned long seed) {
  unsigned long x = seed | 1;
  for (long i = 0; i < steps; ++i) x = x * 6364136223846793005UL + 1442695040888963407UL;
  return x;
}

// `loop(n, body)` calls body(i) for every i < n. Returns the sum over all items, which no schedule changes.
template <class Loop>
unsigned long play(const load& l, Loop&& loop) {
  unsigned long sum = 0;
  unsigned long results[4096];
  for (int t = 0; t < l.turns; ++t) {
    for (int i = 0; i < l.serial; ++i) sum += item(l.steps, static_cast<unsigned long>(i));
    loop(l.parallel, [&](int i) { results[i] = item(l.steps, static_cast<unsigned long>(i)); });
    for (int i = 0; i < l.parallel; ++i) sum += results[i];
  }
  return sum;
}

unsigned long serial(const load&);
unsigned long heist(const load&);           // a dedicated pool
unsigned long heist_feedback(const load&);  // one that shares the machine
unsigned long tbb(const load&);
unsigned long openmp(const load&);

}  // namespace mix
