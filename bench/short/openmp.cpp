#include <bench/short/contestants.hpp>

namespace short_work {
namespace {

double join(std::size_t steps) {
  double a = 0, b = 0;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    a = chain(steps, 1);
#pragma omp section
    b = chain(steps, 2);
  }
  return a + b;
}
// A loop inside a region would run on one thread: OpenMP's loops are entered from outside.
void inside(const std::function<void()>& f) { f(); }
void transform(const double* in, double* out, std::size_t n) {
#pragma omp parallel for num_threads(2)
  for (std::size_t i = 0; i < n; ++i) out[i] = changed(in[i]);
}
double reduce(const double* in, std::size_t n) {
  double sum = 0;
#pragma omp parallel for simd reduction(+ : sum) num_threads(2)
  for (std::size_t i = 0; i < n; ++i) sum += in[i];
  return sum;
}
void scan(const double* in, double* out, std::size_t n) {
  double sum = 0;
#pragma omp parallel for reduction(inscan, + : sum) num_threads(2)
  for (std::size_t i = 0; i < n; ++i) {
    sum += in[i];
#pragma omp scan inclusive(sum)
    out[i] = sum;
  }
}

}  // namespace

const contestant openmp_two{"OpenMP", join, inside, transform, reduce, scan};

}  // namespace short_work
