#include <examples/fib.hpp>

#include <cstdio>

int main() {
  const long found = examples::fib(35);
  std::printf("fib(35) = %ld\n", found);
  return found == 9'227'465 ? 0 : 1;
}
