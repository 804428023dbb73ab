#include <analysis/proof/recycling.hpp>

#include <analysis/dag/random.hpp>

#include <algorithm>
#include <cmath>

namespace heist::analysis {

std::vector<std::pair<std::string, tosser>> tossers() {
  return {{"eager", tosser::eager},
          {"single", tosser::single},
          {"hoarder", tosser::hoarder},
          {"half", tosser::half},
          {"random", tosser::random}};
}

namespace {

std::uint32_t chosen(tosser how, std::uint32_t reservoir, std::uint32_t balls, stream& random) {
  switch (how) {
    case tosser::eager:
      return reservoir;
    case tosser::single:
      return std::min(reservoir, 1u);
    case tosser::hoarder:
      return reservoir == balls ? balls : 0;
    case tosser::half:
      return (reservoir + 1) / 2;
    case tosser::random:
      return reservoir == 0 ? 0 : 1 + random.below(reservoir);
  }
  return 0;
}

}  // namespace

std::uint64_t play(std::uint32_t balls, std::uint64_t tosses, tosser how, std::uint64_t seed) {
  stream random(seed);
  std::vector<std::uint32_t> bins(balls, 0), occupied;
  std::uint32_t reservoir = balls;
  std::uint64_t delay = 0;
  while (tosses > 0 || reservoir < balls) {
    const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(tosses, chosen(how, reservoir, balls, random)));
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t bin = random.below(balls);
      if (bins[bin]++ == 0) occupied.push_back(bin);
    }
    tosses -= n;
    reservoir -= n;
    std::size_t still = 0;
    for (const std::uint32_t bin : occupied) {
      ++reservoir;
      if (--bins[bin] > 0) occupied[still++] = bin;
    }
    occupied.resize(still);
    delay += balls - reservoir;
  }
  return delay;
}

double recycling_bound(std::uint32_t balls, std::uint64_t tosses, double epsilon) {
  const double p = balls;
  return static_cast<double>(tosses) + p * std::log2(p) + p * std::log2(1 / epsilon);
}

}  // namespace heist::analysis
