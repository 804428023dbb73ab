#include <examples/merge_sort.hpp>

#include <cstdio>
#include <random>
#include <vector>

int main() {
  std::vector<std::uint32_t> a(1'000'000), buffer(a.size());
  std::generate(a.begin(), a.end(), [dice = std::mt19937(1)]() mutable { return static_cast<std::uint32_t>(dice()); });
  std::vector<std::uint32_t> expected = a;
  heist::sort(expected);  // what a program would call that has no wish to write its own
  examples::merge_sort(a, buffer);
  std::printf("%zu numbers sorted: %u ... %u ... %u\n", a.size(), a.front(), a[a.size() / 2], a.back());
  return std::is_sorted(a.begin(), a.end()) && a == expected ? 0 : 1;
}
