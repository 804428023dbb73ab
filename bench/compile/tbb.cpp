// The same by oneTBB, which has no stable sort.

#include <tbb/tbb.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

void sort_ints(std::vector<int>& v) { tbb::parallel_sort(v); }
void sort_strings(std::vector<std::string>& v) { tbb::parallel_sort(v); }
double sum(const std::vector<double>& v) {
  using indices = tbb::blocked_range<std::size_t>;
  auto add = [&v](const indices& r, double s) {
    for (std::size_t i = r.begin(); i != r.end(); ++i) s += v[i];
    return s;
  };
  return tbb::parallel_reduce(indices(0, v.size()), 0.0, add, std::plus<>());
}
