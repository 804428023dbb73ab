#include <examples/queens.hpp>

#include <cstdio>

int main() {
  const long ways = examples::queens(examples::board::empty(12));
  std::printf("12 queens stand on a 12 x 12 board in %ld ways\n", ways);
  return ways == 14'200 ? 0 : 1;
}
