#include <analysis/proof/union_bound.hpp>

#include <analysis/proof/augmented.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heist::analysis {

double union_bound::at(double rounds) const {
  const double pieces = 2 * length;
  const double partitions = std::lgamma(pieces + rounds + 1) - std::lgamma(rounds + 1) - std::lgamma(pieces + 1);
  return paths + partitions - 2 * rounds + 11 * length;
}

std::uint64_t union_bound::rounds_for(double epsilon) const {
  const double wanted = std::log(epsilon);
  // It falls once R is above 2L / (e² − 1): there (2L + R)/R, by which another round multiplies, is below e².
  double low = std::floor(2 * length / (std::exp(2.0) - 1)) + 1, high = 2 * low;
  if (at(low) <= wanted) return static_cast<std::uint64_t>(low);
  while (at(high) > wanted) high *= 2;
  while (high - low > 0.5) {
    const double middle = std::floor((low + high) / 2);
    if (middle == low) break;
    (at(middle) > wanted ? low : high) = middle;
  }
  return static_cast<std::uint64_t>(high);
}

union_bound paper_bound(std::uint64_t span, std::uint64_t degree) {
  const double length = 2 * static_cast<double>(span);
  return {length * std::log(std::max(1.0, static_cast<double>(degree))), length};
}

union_bound counted_bound(const dag& d) {
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  std::vector<double> paths(d.instructions(), nothing);  // ln of those from the first instruction to this one
  const auto add = [](double a, double b) {
    const double more = std::max(a, b), less = std::min(a, b);
    return less == nothing ? more : more + std::log1p(std::exp(less - more));
  };
  paths[d.threads[d.root].first] = 0;
  for (const id i : augmented_order(d))
    for_augmented_successors(d, i, [&](id j) { paths[j] = add(paths[j], paths[i]); });
  return {paths[d.last(d.root)], static_cast<double>(augmented_span(d))};
}

double chance_of_group(std::uint32_t processors, std::uint64_t rounds) {
  if (processors < 2 || rounds < 2) return 1;
  const double chance = 1.0 / (processors - 1), attempts = 3.0 * processors * static_cast<double>(rounds - 1);
  if (chance == 1) return 0;
  const double none_of_them = std::exp(attempts * std::log1p(-chance));
  return std::min(1.0, none_of_them * (1 + attempts * chance / (1 - chance)));
}

}  // namespace heist::analysis
