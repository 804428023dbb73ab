#include <examples/sum.hpp>

#include <cstdio>
#include <vector>

int main() {
  std::vector<std::uint32_t> a(50'000'000);
  std::iota(a.begin(), a.end(), 1u);
  const std::uint64_t expected = std::uint64_t{a.size()} * (a.size() + 1) / 2;
  const std::uint64_t found = examples::sum(a);
  std::printf("1 + 2 + ... + %zu = %llu\n", a.size(), static_cast<unsigned long long>(found));
  return found == expected && examples::sum_by_reduce(a) == expected ? 0 : 1;
}
