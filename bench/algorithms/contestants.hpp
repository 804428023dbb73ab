#pragma once
// The problems, and who solves them. Each solver is compiled in a file of its own, with its own flags.

#include <cstddef>
#include <vector>

namespace algorithms {

enum class problem { sort, stable_sort, reduce, scan, copy_if, histogram };
inline constexpr problem every_problem[] = {problem::sort, problem::stable_sort, problem::reduce,
                                            problem::scan, problem::copy_if,     problem::histogram};
const char* name_of(problem p);

inline constexpr std::size_t bins = 256;
inline constexpr auto bin_of = [](double x) { return static_cast<std::size_t>(x * bins); };
inline constexpr auto is_small = [](double x) { return x < 0.5; };

// Some of the numbers in [0, 1), and where the result goes: `work` is what is sorted, a copy of `in` beforehand.
struct piece {
  const double* in;
  double* work;
  double* out;
  std::size_t n;
};

// A figure that depends on the whole result.
using solver = double (*)(problem p, const piece& x);

double solve_serial(problem p, const piece& x);
double solve_by_heist(problem p, const piece& x);    // in a pool
double solve_by_std_par(problem p, const piece& x);  // on as many threads as oneTBB is allowed
double solve_by_openmp(problem p, const piece& x);   // on as many threads as OpenMP was told; NaN where it has nothing
bool openmp_has(problem p);
void set_openmp_threads(int n);

// From what every solver leaves behind; not part of the time.
double digest(problem p, const piece& x, double result);

}  // namespace algorithms
