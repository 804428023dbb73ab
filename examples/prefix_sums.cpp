#include <examples/prefix_sums.hpp>

#include <cstdio>
#include <vector>

int main() {
  std::vector<std::uint64_t> odd(5'000'000), squares(odd.size()), again(odd.size()), expected(odd.size());
  heist::generate(odd, [](std::size_t i) { return 2 * i + 1; });
  examples::prefix_sums(odd, squares);
  examples::prefix_sums_by_scan(odd, again);
  examples::prefix_sums_serial(odd, expected);
  std::printf("1 + 3 + 5 + ... + %llu = %llu\n", static_cast<unsigned long long>(odd.back()),
              static_cast<unsigned long long>(squares.back()));
  const std::uint64_t n = odd.size();
  return squares == expected && again == expected && squares.back() == n * n ? 0 : 1;
}
