// docs/guides/first_hour.md: the first version, which has a race. It is compiled, and run for its race, never for its result.
// region: program
#include <heist/heist.hpp>

#include <cstdio>

namespace stage = heist::stage;

// How many steps until n becomes 1: halve it if it is even, else 3n + 1.
int steps(long n) {
  int k = 0;
  for (; n != 1; ++k) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return k;
}

int main(int argc, char**) {
  const long most = argc > 1 ? 2'000 : 2'000'000;  // with an argument: a small run
  int longest = 0;
  long start = 0;
  const long total = heist::par(1L, most) | stage::transform([&](long n) {
                       const int k = steps(n);
                       if (k > longest) longest = k, start = n;
                       return long{k};
                     }) |
                     stage::sum();
  std::printf("%ld steps; the longest way begins at %ld and has %d\n", total, start, longest);
}
// end
