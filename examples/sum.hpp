#pragma once
// Parallel sum: halve the array until a piece fits the nearest cache, add the halves.
//
// Work Θ(n), span Θ(lg n + leaf): lg n additions on the way up, and the loop of one leaf.

#include <heist/heist.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

namespace examples {

inline std::uint64_t sum_serial(std::span<const std::uint32_t> a) {
  return std::accumulate(a.begin(), a.end(), std::uint64_t{0});
}

inline std::uint64_t sum(std::span<const std::uint32_t> a) {
  constexpr std::size_t leaf = 4096;
  if (a.size() <= leaf) return sum_serial(a);
  const std::size_t half = a.size() / 2;
  const auto [left, right] = heist::join([=] { return sum(a.first(half)); }, [=] { return sum(a.subspan(half)); });
  return left + right;
}

// The same from the library: the type of the initial value is the type it adds in.
inline std::uint64_t sum_by_reduce(std::span<const std::uint32_t> a) { return heist::reduce(a, std::uint64_t{0}); }

}  // namespace examples
