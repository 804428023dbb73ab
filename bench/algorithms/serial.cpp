#include <bench/algorithms/contestants.hpp>

#include <algorithm>
#include <numeric>

namespace algorithms {

double solve_serial(problem p, const piece& x) {
  const double *first = x.in, *last = x.in + x.n;
  switch (p) {
    case problem::sort:
      std::sort(x.work, x.work + x.n);
      return 0;
    case problem::stable_sort:
      std::stable_sort(x.work, x.work + x.n);
      return 0;
    case problem::reduce:
      return std::reduce(first, last, 0.0);
    case problem::scan:
      std::inclusive_scan(first, last, x.out);
      return 0;
    case problem::copy_if:
      return static_cast<double>(std::copy_if(first, last, x.out, is_small) - x.out);
    case problem::histogram: {
      std::vector<std::size_t> counts(bins);
      for (; first != last; ++first) ++counts[bin_of(*first)];
      return static_cast<double>(counts[0] + 3 * counts[bins / 2] + 7 * counts[bins - 1]);
    }
  }
  return 0;
}

}  // namespace algorithms
