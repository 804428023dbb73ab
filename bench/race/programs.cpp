// The programs of bench/race, built four times: plainly, for races, for races with empty hooks (floor.cpp), and with
// ThreadSanitizer. Prints the time of one pass in nanoseconds, and the peak of memory in KiB.
//   NAME [SIZE]

#include <bench/common/bench.hpp>

#include <examples/queens.hpp>
#include <examples/word_count.hpp>

#include <heist/heist.hpp>

#include <sys/resource.h>

#include <random>

namespace {

// The time of all threads.
template <class F>
double timed(F&& f) {
  const double start = bench::process_ns();
  f();
  return bench::process_ns() - start;
}

long fib(long n) {
  if (n < 2) return n;
  const auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

// The matrix product row by row: an iteration for each row, as most programs have it.
double matrix(std::size_t n) {
  std::vector<double> a(n * n, 1.5), b(n * n, 2.5), c(n * n);
  heist::for_each_index(std::size_t{0}, n, [&](std::size_t i) {
    for (std::size_t k = 0; k < n; ++k) {
      const double x = a[i * n + k];
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += x * b[k * n + j];
    }
  });
  return c[n + 1];
}

double heat(std::size_t n) {
  std::vector<double> now(n * n, 1.0), next(n * n);
  for (int step = 0; step < 20; ++step) {
    heist::for_each_index(std::size_t{1}, n - 1, [&](std::size_t i) {
      const double* const here = now.data() + i * n;
      double* const to = next.data() + i * n;
      for (std::size_t j = 1; j < n - 1; ++j)
        to[j] = here[j] + 0.1 * (here[j - n] + here[j + n] + here[j - 1] + here[j + 1] - 4 * here[j]);
    });
    std::swap(now, next);
  }
  return now[n + 1];
}

double sort(std::size_t n) {
  std::mt19937 dice(1);
  std::vector<double> v(n);
  for (double& x : v) x = static_cast<double>(dice());
  const double start = bench::process_ns();
  heist::sort(v);
  const double took = bench::process_ns() - start;
  return v[0] >= 0 ? took : 0;
}

double words(std::size_t n) {
  std::mt19937 dice(1);
  std::string text;
  while (text.size() < n) {
    for (unsigned k = 1 + dice() % 6; k > 0; --k) text += static_cast<char>('a' + dice() % 4);
    text += ' ';
  }
  const double start = bench::process_ns();
  const auto counts = examples::word_count(text);
  const double took = bench::process_ns() - start;
  return counts.empty() ? 0 : took;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const long size = argc > 2 ? std::atol(argv[2]) : 0;
  const auto n = static_cast<std::size_t>(size);
  double kept = 0, ns = 0;
  if (what == "fib") ns = timed([&] { kept = static_cast<double>(fib(size)); });
  else if (what == "queens") ns = timed([&] { kept = static_cast<double>(examples::queens(examples::board::empty(static_cast<int>(size)))); });
  else if (what == "matrix") ns = timed([&] { kept = matrix(n); });
  else if (what == "heat") ns = timed([&] { kept = heat(n); });
  else if (what == "sort") ns = sort(n);
  else if (what == "words") ns = words(n);
  else return std::fprintf(stderr, "usage: %s fib|queens|matrix|heat|sort|words SIZE\n", argv[0]), 2;
  bench::opaque(kept);
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  std::printf("%.0f %ld\n", ns, used.ru_maxrss);
  return 0;
}
