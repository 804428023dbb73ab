#include <bench/runtimes/serial.hpp>

static long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(int argc, char** argv) {
  return bench::contestant(argc, argv, [](auto&, const bench::task& t) { return fib(t.size); });
}
