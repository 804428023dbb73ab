#include <bench/algorithms/contestants.hpp>

#include <heist/heist.hpp>

namespace algorithms {

double solve_by_heist(problem p, const piece& x) {
  const double *first = x.in, *last = x.in + x.n;
  switch (p) {
    case problem::sort:
      heist::sort(x.work, x.work + x.n);
      return 0;
    case problem::stable_sort:
      heist::stable_sort(x.work, x.work + x.n);
      return 0;
    case problem::reduce:
      return heist::reduce(first, last, 0.0);
    case problem::scan:
      heist::inclusive_scan(first, last, x.out);
      return 0;
    case problem::copy_if:
      return static_cast<double>(heist::copy_if(first, last, x.out, is_small) - x.out);
    case problem::histogram: {
      const std::vector<std::size_t> counts = heist::histogram(first, last, bins, bin_of);
      return static_cast<double>(counts[0] + 3 * counts[bins / 2] + 7 * counts[bins - 1]);
    }
  }
  return 0;
}

}  // namespace algorithms
