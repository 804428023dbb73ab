#pragma once
// Random orders and random choices. Each depends on the number of elements and a seed alone: the
// result is the same on any number of workers, and in every run. A seed is an integer, or comes from
// one of the standard's generators.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/permute.hpp>
#include <heist/algorithm/quick_sort.hpp>
#include <heist/algorithm/random_order.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>
#include <heist/filter.hpp>
#include <heist/pack.hpp>
#include <heist/sort.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist {

namespace detail {

template <class Index, class I, class How>
void shuffle_by(const How& how, const I& first, std::size_t n, std::uint64_t seed) {
  const auto order = std::make_unique_for_overwrite<Index[]>(n);
  random_order<Index, How>(how, order.get(), n, seed).run();
  detail::permute(how, first, n, [&order](std::size_t k) { return static_cast<std::size_t>(order[k]); });
}

template <class I, class S, class... O>
void shuffle_range(const I& first, const S& last, std::uint64_t seed, const O&... o) {
  if constexpr (can_move<I, S>()) {
    const std::size_t n = detail::length(first, last);
    const options_of options(o...);
    if (n <= 2 * bucket_size) {  // the same order, without a list of it
      options.check();
      return detail::shuffle_here(n, random_sequence(seed), [&first](std::size_t i, std::size_t j) {
        if (i != j) std::ranges::iter_swap(detail::at(first, i), detail::at(first, j));
      });
    }
    const forking how(options, sort_grain);
    how.enter(n, [&] {
      if (n <= std::numeric_limits<std::uint32_t>::max())
        detail::shuffle_by<std::uint32_t>(how, detail::plain(first), n, seed);
      else
        detail::shuffle_by<std::size_t>(how, detail::plain(first), n, seed);
    });
  }
}

// k places of n, in order: those with the smallest random numbers. Only places whose number is below a
// bound are candidates, a few more than k most likely; if there are fewer, the bound is raised.
template <class How, class... O>
std::vector<std::size_t> random_places(const How& how, std::size_t n, std::size_t k, std::uint64_t seed, const O&... o) {
  const random_sequence numbers(seed);
  constexpr double all = 18446744073709551616.0;  // 2^64
  // Eight square roots of k, at least, are eight standard deviations.
  const std::size_t root = std::size_t{1} << (std::bit_width(k) + 1) / 2;
  for (double wanted = static_cast<double>(k) + 8 * static_cast<double>(root) + 64;; wanted *= 2) {
    const double share = wanted / static_cast<double>(n) * all;
    const std::uint64_t bound = share >= all * 0.99 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(share);
    std::vector<std::size_t> places = detail::places_that(n, [&](std::size_t i) { return numbers[i] <= bound; }, o...);
    if (places.size() < k) continue;
    auto smaller = [&numbers](std::size_t i, std::size_t j) {
      return numbers[i] != numbers[j] ? numbers[i] < numbers[j] : i < j;
    };
    if (k < places.size()) detail::quick_select(places.data(), k, places.size(), smaller, how);
    places.resize(k);
    heist::sort(places);
    return places;
  }
}

template <class I, class S, class Out, class N, class... O>
Out sample_range(const I& first, const S& last, const Out& out, N k, std::uint64_t seed, const O&... o) {
  if constexpr (can_copy<I, S, Out>()) {
    const std::size_t n = detail::length(first, last);
    const std::size_t most = k > 0 ? std::min(n, static_cast<std::size_t>(k)) : 0;
    if (most == 0) return out;
    const options_of options(o...);
    const forking how(options, detail::filter_grain(n));
    return how.enter(n, [&] {
      const std::vector<std::size_t> places = detail::random_places(how, n, most, seed, o...);
      auto some = [&](std::size_t a, std::size_t b) {
        for (Out to = detail::at(out, a); a != b; ++a, ++to) detail::assign(*to, *detail::at(first, places[a]));
      };
      detail::for_pieces(most, some, options, plain_elements<std::iter_value_t<I>>());
      return detail::at(out, most);
    });
  } else {
    return out;
  }
}

}  // namespace detail

// Returns the numbers 0, …, n − 1 in a random order; without a seed always in the same one.
template <detail::seed_or_generator G, detail::option... O>
[[nodiscard]] std::vector<std::size_t> random_permutation(std::size_t n, G&& seed, const O&... o) {
  std::vector<std::size_t> order(n);
  const detail::options_of options(o...);
  const detail::forking how(options, detail::bucket_size);
  options.check();  // a single bucket would ask nobody
  how.enter(n, [&] {
    detail::random_order<std::size_t, decltype(how)>(how, order.data(), n, detail::seed_from(seed)).run();
  });
  return order;
}

template <detail::option... O>
[[nodiscard]] std::vector<std::size_t> random_permutation(std::size_t n, const O&... o) {
  return heist::random_permutation(n, 0, o...);
}

// Brings the range into a random order: the element random_permutation(n, seed)[k] goes to place k. Up
// to 32,768 elements are shuffled in place by the caller; more need a buffer of n elements and n words
// of 32 bits. Returns what std::shuffle and std::ranges::shuffle return.
template <class I, detail::sentinel<I> S, detail::seed_or_generator G, detail::option... O>
void shuffle(I first, S last, G&& seed, const O&... o) {
  detail::shuffle_range(first, last, detail::seed_from(seed), o...);
}
template <detail::range R, detail::seed_or_generator G, detail::option... O>
std::ranges::borrowed_iterator_t<R> shuffle(R&& r, G&& seed, const O&... o) {
  detail::shuffle_range(std::ranges::begin(r), std::ranges::end(r), detail::seed_from(seed), o...);
  return detail::end_of(std::forward<R>(r));
}

// Writes k elements, chosen at random, to `out`, in the order of the range; all if there are fewer.
// Returns the end of them. All choices are equally likely. A bit for each element, and about k words.
template <class I, detail::sentinel<I> S, class Out, std::integral N, detail::seed_or_generator G, detail::option... O>
Out sample(I first, S last, Out out, N k, G&& seed, const O&... o) {
  return detail::sample_range(first, last, out, k, detail::seed_from(seed), o...);
}
template <detail::range R, class Out, std::integral N, detail::seed_or_generator G, detail::option... O>
Out sample(R&& r, Out out, N k, G&& seed, const O&... o) {
  return detail::sample_range(std::ranges::begin(r), std::ranges::end(r), out, k, detail::seed_from(seed), o...);
}

}  // namespace heist

HEIST_END
