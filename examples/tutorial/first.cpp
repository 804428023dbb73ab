// The first program of docs/tutorial.md: a fork at every level of a recursion. Work Θ(n · steps), span Θ(lg n + steps).

// region: program
#include <heist/heist.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>

// How many steps does n take to reach 1? An even number is halved, an odd one becomes 3n + 1.
int steps(std::uint64_t n) {
  int count = 0;
  for (; n != 1; ++count) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return count;
}

// The most steps that any number in [first, last) takes.
int longest(std::uint64_t first, std::uint64_t last) {
  if (last - first == 1) return steps(first);
  const std::uint64_t middle = first + (last - first) / 2;
  auto [left, right] = heist::join([=] { return longest(first, middle); }, [=] { return longest(middle, last); });
  return std::max(left, right);
}

int main() {
  const int most = longest(1, 1'000'000);
  std::printf("the longest chain below a million has %d steps\n", most);
  return most == 524 ? 0 : 1;
}
// end
