#include <heist/heist.hpp>

#include <ranges>

int main() {
  const long sum = heist::reduce(std::views::iota(0L, 100'000L));
  return sum == 4'999'950'000 ? 0 : 1;
}
