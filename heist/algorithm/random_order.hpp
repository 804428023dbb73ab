#pragma once
// A random order of n things that depends on n and a seed alone. Every thing is thrown into one of
// many buckets, by a hash of its number; then each bucket is shuffled by itself (Rao 1961, Sandelius
// 1962). All orders are equally likely, as far as the numbers are random.

#include <heist/algorithm/forking.hpp>
#include <heist/base/export.hpp>
#include <heist/base/random.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// splitmix64 as a function of the place in its sequence: strands need not share a state.
class random_sequence {
 public:
  explicit random_sequence(std::uint64_t seed) noexcept : start_(mix(seed)) {}

  std::uint64_t operator[](std::uint64_t i) const noexcept { return mix(start_ + i * 0x9E3779B97F4A7C15ull); }
  // Uniform in [0, n), but for a bias of n / 2^64.
  std::uint64_t below(std::uint64_t n, std::uint64_t i) const noexcept {
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<wide>((*this)[i]) * n) >> 64);
  }
  // An unrelated sequence.
  random_sequence branch(std::uint64_t k) const noexcept { return random_sequence(start_ ^ mix(k + 1)); }

 private:
  std::uint64_t start_;
};

// A seed is an integer, or comes from a generator such as the standard's. (Its own concept is in
// <random>, which takes as long to compile as a third of heist.)
template <class G>
concept bit_generator = requires(G& g) {
  { g() } -> std::unsigned_integral;
  { G::min() } -> std::unsigned_integral;
  { G::max() } -> std::unsigned_integral;
};
template <class G>
concept seed_or_generator = std::integral<std::remove_cvref_t<G>> || bit_generator<std::remove_cvref_t<G>>;
template <seed_or_generator G>
std::uint64_t seed_from(G&& g) {
  if constexpr (std::integral<std::remove_cvref_t<G>>) {
    return static_cast<std::uint64_t>(g);
  } else {
    const auto high = static_cast<std::uint64_t>(g());
    return mix(high) ^ static_cast<std::uint64_t>(g());
  }
}

// As many are shuffled by one strand.
inline constexpr std::size_t bucket_size = std::size_t{1} << 14;

// Fisher and Yates: swap(i, j) for i from n − 1 down.
template <class Swap>
void shuffle_here(std::size_t n, const random_sequence& numbers, const Swap& swap) {
  for (std::size_t i = n; i > 1; --i) swap(i - 1, static_cast<std::size_t>(numbers.below(i, i)));
}

// Fills `out` with a random order of 0, …, n − 1. Work n, span lg n and a bucket, besides 2^19 steps.
template <class Index, class How>
class random_order {
 public:
  random_order(const How& how, Index* out, std::size_t n, std::uint64_t seed)
      : how_(how), out_(out), n_(n), numbers_(seed),
        bits_(static_cast<int>(std::bit_width(std::clamp<std::size_t>(n / bucket_size, 1, 1024) - 1))) {}

  void run() {
    if (n_ <= 2 * bucket_size) {
      for (std::size_t i = 0; i < n_; ++i) out_[i] = static_cast<Index>(i);
      shuffle_here(n_, numbers_, [this](std::size_t i, std::size_t j) { std::swap(out_[i], out_[j]); });
      return;
    }
    const std::size_t size = std::max<std::size_t>(4 * bucket_size, n_ / 512), blocks = n_ / size + (n_ % size != 0);
    const std::size_t buckets = std::size_t{1} << bits_;
    std::vector<std::size_t> starts(blocks * buckets);
    each(blocks, [&](std::size_t k) {
      std::size_t* const count = starts.data() + k * buckets;
      for (std::size_t i = k * size, end = std::min(n_, i + size); i != end; ++i) ++count[bucket(i)];
    });
    std::vector<std::size_t> begins(buckets + 1);
    std::size_t sum = 0;
    for (std::size_t b = 0; b < buckets; ++b) {
      begins[b] = sum;
      for (std::size_t k = 0; k < blocks; ++k) sum += std::exchange(starts[k * buckets + b], sum);
    }
    begins[buckets] = n_;
    each(blocks, [&](std::size_t k) {
      std::size_t* const to = starts.data() + k * buckets;
      for (std::size_t i = k * size, end = std::min(n_, i + size); i != end; ++i)
        out_[to[bucket(i)]++] = static_cast<Index>(i);
    });
    each(buckets, [&](std::size_t b) {
      Index* const first = out_ + begins[b];
      shuffle_here(begins[b + 1] - begins[b], numbers_.branch(b),
                   [first](std::size_t i, std::size_t j) { std::swap(first[i], first[j]); });
    });
  }

 private:
  template <class Body>
  void each(std::size_t n, const Body& body) {
    detail::for_each_block(how_, 0, n, [&](std::size_t k) {
      how_.check();
      body(k);
    });
  }
  std::size_t bucket(std::size_t i) const noexcept {
    return bits_ == 0 ? 0 : static_cast<std::size_t>(numbers_[i] >> (64 - bits_));
  }

  const How& how_;
  Index* const out_;
  const std::size_t n_;
  const random_sequence numbers_;
  const int bits_;
};

}  // namespace heist::detail

HEIST_END
