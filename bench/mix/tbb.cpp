#include <bench/mix/phases.hpp>

#include <tbb/parallel_for.h>

unsigned long mix::tbb(const load& l) {
  return play(l, [](int n, auto&& body) { ::tbb::parallel_for(0, n, body); });
}
