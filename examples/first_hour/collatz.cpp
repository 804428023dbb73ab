// docs/guides/first_hour.md: the version without a race. The chain carries what the first one wrote into shared variables.
#include <heist/heist.hpp>

#include <cstdio>

namespace stage = heist::stage;

int steps(long n) {
  int k = 0;
  for (; n != 1; ++k) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return k;
}

// region: fixed
struct way {
  long total = 0, start = 0;
  int longest = 0;
};

// The first of two equal ways wins, as in a serial loop.
way join_ways(way a, way b) {
  if (b.longest > a.longest) a.longest = b.longest, a.start = b.start;
  a.total += b.total;
  return a;
}

int main(int argc, char**) {
  const long most = argc > 1 ? 2'000 : 2'000'000;
  const way all = heist::par(1L, most) | stage::transform([](long n) {
                    const int k = steps(n);
                    return way{k, n, k};
                  }) |
                  stage::reduce(way(), join_ways);
  std::printf("%ld steps; the longest way begins at %ld and has %d\n", all.total, all.start, all.longest);
}
// end
