#include <bench/algorithms/contestants.hpp>

#include <algorithm>
#include <atomic>
#include <execution>
#include <numeric>

namespace algorithms {

double solve_by_std_par(problem p, const piece& x) {
  const auto& par = std::execution::par;
  const double *first = x.in, *last = x.in + x.n;
  switch (p) {
    case problem::sort:
      std::sort(par, x.work, x.work + x.n);
      return 0;
    case problem::stable_sort:
      std::stable_sort(par, x.work, x.work + x.n);
      return 0;
    case problem::reduce:
      return std::reduce(par, first, last, 0.0);
    case problem::scan:
      std::inclusive_scan(par, first, last, x.out);
      return 0;
    case problem::copy_if:
      return static_cast<double>(std::copy_if(par, first, last, x.out, is_small) - x.out);
    case problem::histogram: {
      // The standard library has none: atomic counters are what is usually written.
      std::vector<std::atomic<std::size_t>> counts(bins);
      std::for_each(par, first, last, [&](double v) { counts[bin_of(v)].fetch_add(1, std::memory_order_relaxed); });
      return static_cast<double>(counts[0] + 3 * counts[bins / 2] + 7 * counts[bins - 1]);
    }
  }
  return 0;
}

}  // namespace algorithms
