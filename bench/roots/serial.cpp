#include <bench/common/bench.hpp>
#include <bench/roots/callers.hpp>
#include <bench/runtimes/serial.hpp>

static long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(int argc, char** argv) {
  return bench::contestant(argc, argv, [](auto&, const bench::task& t) {
    long sum = 0;
    for (long i = 0; i < t.size * static_cast<long>(roots::callers); ++i) {
      long n = roots::root;
      bench::opaque(n);  // or the compiler would compute it once
      sum += fib(n);
    }
    return sum;
  });
}
