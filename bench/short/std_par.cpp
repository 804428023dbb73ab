#include <bench/short/contestants.hpp>

#include <tbb/global_control.h>

#include <algorithm>
#include <execution>
#include <numeric>

namespace short_work {
namespace {

void inside(const std::function<void()>& f) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
  f();
}
void transform(const double* in, double* out, std::size_t n) {
  std::transform(std::execution::par, in, in + n, out, changed);
}
double reduce(const double* in, std::size_t n) { return std::reduce(std::execution::par, in, in + n, 0.0); }
void scan(const double* in, double* out, std::size_t n) { std::inclusive_scan(std::execution::par, in, in + n, out); }

}  // namespace

const contestant std_par_two{"std::execution::par", nullptr, inside, transform, reduce, scan};

}  // namespace short_work
