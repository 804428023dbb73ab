#include <bench/mix/phases.hpp>

unsigned long mix::openmp(const load& l) {
  return play(l, [](int n, auto&& body) {
#pragma omp parallel for schedule(dynamic, 8)
    for (int i = 0; i < n; ++i) body(i);
  });
}
