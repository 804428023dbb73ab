// Recipe: bring together what belongs to the same of a known number of groups, and work on each group.

#include <heist/heist.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <span>
#include <vector>

namespace {

// region: data
struct reading {
  std::uint32_t sensor;  // 0 … sensors − 1
  std::uint32_t value;
};

std::uint32_t median(std::span<reading> some) {
  if (some.empty()) return 0;
  const auto middle = some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2);
  std::nth_element(some.begin(), middle, some.end(), [](auto& a, auto& b) { return a.value < b.value; });
  return middle->value;
}
// end

// region: serial
std::vector<std::uint32_t> medians_serial(const std::vector<reading>& all, std::size_t sensors) {
  std::vector<std::vector<reading>> groups(sensors);
  for (const reading& r : all) groups[r.sensor].push_back(r);
  std::vector<std::uint32_t> found(sensors);
  for (std::size_t s = 0; s < sensors; ++s) found[s] = median(groups[s]);
  return found;
}
// end

// region: parallel
std::vector<std::uint32_t> medians(std::vector<reading> all, std::size_t sensors) {
  const std::vector<std::size_t> sizes = heist::histogram(all, sensors, &reading::sensor);
  std::vector<std::size_t> starts(sensors);
  heist::exclusive_scan(sizes, starts.begin(), std::size_t{0});
  heist::stable_sort(all, std::less<>(), &reading::sensor);
  std::vector<std::uint32_t> found(sensors);
  heist::for_each_index(std::size_t{0}, sensors,
                        [&](std::size_t s) { found[s] = median(std::span(all).subspan(starts[s], sizes[s])); });
  return found;
}
// end

}  // namespace

int main() {
  constexpr std::size_t sensors = 1000;
  std::vector<reading> all(500'000);
  heist::generate(all, [](std::size_t i) {
    const auto hash = static_cast<std::uint32_t>(i) * 2654435761u;
    return reading{(hash >> 5) % 991, (hash >> 9) % 10'000};
  });
  const std::vector<std::uint32_t> found = medians(all, sensors);
  std::printf("medians of the first sensors: %u %u %u; of one without a reading: %u\n", found[0], found[1], found[2],
              found.back());
  return found == medians_serial(all, sensors) ? 0 : 1;
}
