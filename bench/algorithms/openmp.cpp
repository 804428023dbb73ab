#include <bench/algorithms/contestants.hpp>

#include <omp.h>
#include <parallel/algorithm>

#include <limits>

namespace algorithms {

void set_openmp_threads(int n) { omp_set_num_threads(n); }

bool openmp_has(problem p) { return p != problem::copy_if; }

// Sorting is libstdc++'s parallel mode, which is built on OpenMP.
double solve_by_openmp(problem p, const piece& x) {
  const auto n = static_cast<std::ptrdiff_t>(x.n);
  switch (p) {
    case problem::sort:
      __gnu_parallel::sort(x.work, x.work + n);
      return 0;
    case problem::stable_sort:
      __gnu_parallel::stable_sort(x.work, x.work + n);
      return 0;
    case problem::reduce: {
      double sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (std::ptrdiff_t i = 0; i < n; ++i) sum += x.in[i];
      return sum;
    }
    case problem::scan: {
      double sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
      for (std::ptrdiff_t i = 0; i < n; ++i) {
        sum += x.in[i];
#pragma omp scan inclusive(sum)
        x.out[i] = sum;
      }
      return 0;
    }
    case problem::histogram: {
      std::size_t counts[bins] = {};
#pragma omp parallel for reduction(+ : counts)
      for (std::ptrdiff_t i = 0; i < n; ++i) ++counts[bin_of(x.in[i])];
      return static_cast<double>(counts[0] + 3 * counts[bins / 2] + 7 * counts[bins - 1]);
    }
    case problem::copy_if:
      break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace algorithms
