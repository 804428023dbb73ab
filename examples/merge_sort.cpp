#include <examples/merge_sort.hpp>

#include <cstdio>
#include <random>
#include <vector>

int main() {
  std::vector<std::uint32_t> a(10'000'000), buffer(a.size());
  std::generate(a.begin(), a.end(), [dice = std::mt19937(1)]() mutable { return static_cast<std::uint32_t>(dice()); });
  examples::merge_sort(a, buffer);
  const bool sorted = std::is_sorted(a.begin(), a.end());
  std::printf("%zu numbers, %s: %u ... %u ... %u\n", a.size(), sorted ? "sorted" : "NOT sorted", a.front(),
              a[a.size() / 2], a.back());
  return sorted ? 0 : 1;
}
