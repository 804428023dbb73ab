#include <bench/heat/grid.hpp>
#include <bench/locality/sparse.hpp>

namespace locality {

void heat_openmp(heat::input& g, int steps) {
  for (int s = 0; s < steps; ++s) {
#pragma omp parallel for schedule(static) num_threads(2)
    for (std::size_t i = 1; i < g.n - 1; ++i) g.row(i);
    g.end_step();
  }
}

void sparse_openmp(sparse& m, int steps) {
  for (int s = 0; s < steps; ++s) {
#pragma omp parallel for schedule(static) num_threads(2)
    for (std::size_t i = 0; i < m.rows(); ++i) m.row(i);
    m.end_step();
  }
}

}  // namespace locality
