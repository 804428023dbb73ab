#pragma once
// Short pieces of work on two threads, and who runs them. Each contestant is compiled in a file of its own.

#include <bench/common/bench.hpp>

#include <cstddef>
#include <functional>

namespace short_work {

// A chain of multiplications that no compiler shortens; returns what it came to.
inline double chain(std::size_t steps, double x) {
  for (std::size_t i = 0; i < steps; ++i) {
    x = x * 0.999999 + 1e-9;
    asm volatile("" : "+x"(x));
  }
  return x;
}

// What `transform` does to an element: some five nanoseconds.
inline double changed(double x) { return chain(3, x); }

struct contestant {
  const char* name;
  // Two chains, perhaps at the same time, called from outside; the sum of what they came to.
  double (*join)(std::size_t steps);
  // Calls f where its loops have their threads at hand.
  void (*inside)(const std::function<void()>& f);
  void (*transform)(const double* in, double* out, std::size_t n);
  double (*reduce)(const double* in, std::size_t n);
  void (*scan)(const double* in, double* out, std::size_t n);
};

extern const contestant heist_two, tbb_two, openmp_two, std_par_two;

}  // namespace short_work
