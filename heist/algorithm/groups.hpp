#pragma once
// Places of equal keys, brought together.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/build.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/search.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>
#include <heist/collect.hpp>
#include <heist/group_order.hpp>
#include <heist/pack.hpp>
#include <heist/sort.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

template <class Key>
concept hashed_key = requires(const Key& k) {
  { std::hash<Key>()(k) } -> std::convertible_to<std::size_t>;
  { k == k } -> std::convertible_to<bool>;
};
template <class Key>
concept ordered_key = requires(const Key& k) {
  { k < k } -> std::convertible_to<bool>;
};

// What is not a number is one key, too.
template <class Key>
bool same_key(const Key& a, const Key& b) {
  if constexpr (std::is_floating_point_v<Key>)
    return a == b || (a != a && b != b);
  else
    return static_cast<bool>(a == b);
}

// The places of one group's elements, in order.
struct group_members {
  const std::size_t* places;
  std::size_t size;

  std::size_t operator[](std::size_t k) const noexcept { return places[k]; }
};

// Sorts the places stably by their keys' hashes, so that equal keys lie side by side; or by their keys.
// Work n for hashes, which are sorted by digits, and n lg n for keys.
template <class Key>
class grouping {
 public:
  template <option... O>
  grouping(std::vector<Key> keys, group_order order, const O&... o) : keys_(std::move(keys)) {
    if constexpr (hashed_key<Key>)
      sort_hashes(o...);
    else
      sort_keys(o...);
    auto begins = [this](std::size_t i) { return i == 0 || !same(places_[i - 1], places_[i]); };
    starts_ = detail::places_that(places_.size(), begins, o...);
    starts_.push_back(places_.size());
    order_ = heist::tabulate(starts_.size() - 1, std::identity(), o...);
    if (order == group_order::first_appearance) {
      heist::sort(order_, std::less<>(), [this](std::size_t g) noexcept { return places_[starts_[g]]; }, o...);
    } else if constexpr (ordered_key<Key>) {
      heist::stable_sort(
          order_, [this](std::size_t g, std::size_t h) { return key(places_[starts_[g]]) < key(places_[starts_[h]]); },
          o...);
    } else {
      refuse_order();
    }
  }

  std::size_t size() const noexcept { return order_.size(); }
  group_members members(std::size_t g) const noexcept {
    const std::size_t from = starts_[order_[g]];
    return {places_.data() + from, starts_[order_[g] + 1] - from};
  }
  // Once for each group.
  Key take_key(std::size_t g) {
    if constexpr (std::is_same_v<Key, bool>)
      return keys_[members(g)[0]];
    else
      return std::move(keys_[members(g)[0]]);
  }

 private:
  struct HEIST_VERSIONED hashed {
    std::uint64_t hash;
    std::size_t place;
  };

  [[noreturn]] HEIST_COLD static void refuse_order() {
    throw std::invalid_argument("heist: group_order::keys needs keys that can be compared by <");
  }

  decltype(auto) key(std::size_t place) const { return keys_[place]; }
  bool same(std::size_t i, std::size_t j) const {
    if constexpr (hashed_key<Key>)
      return detail::same_key<Key>(key(i), key(j));
    else
      return !(key(i) < key(j)) && !(key(j) < key(i));
  }

  template <option... O>
  void sort_hashes(const O&... o) {
    std::vector<hashed> all = heist::tabulate(
        keys_.size(), [this](std::size_t i) { return hashed{static_cast<std::uint64_t>(std::hash<Key>()(key(i))), i}; }, o...);
    heist::stable_sort(all, std::less<>(), &hashed::hash, o...);
    places_ = heist::tabulate(all.size(), [&](std::size_t i) { return all[i].place; }, o...);
    // Keys with the same hash are hardly ever different. If they are, we bring equal ones together.
    auto begins = [&](std::size_t i) { return i == 0 || all[i - 1].hash != all[i].hash; };
    std::vector<std::size_t> runs = detail::places_that(all.size(), begins, o...);
    runs.push_back(all.size());
    auto some = [&](std::size_t a, std::size_t b) {
      for (; a != b; ++a) untangle(runs[a], runs[a + 1]);
    };
    detail::for_pieces(runs.size() - 1, some, options_of<>());
  }
  void untangle(std::size_t first, std::size_t last) {
    auto differs = [this, first](std::size_t k) { return !same(places_[first], places_[first + k]); };
    if (detail::first_place(last - first, differs, options_of<>()) == last - first) return;
    std::vector<std::vector<std::size_t>> kinds;
    for (std::size_t i = first; i != last; ++i) {
      auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return same(k[0], places_[i]); });
      if (kind == kinds.end()) kind = kinds.emplace(kinds.end());
      kind->push_back(places_[i]);
    }
    for (const auto& kind : kinds)
      for (const std::size_t place : kind) places_[first++] = place;
  }

  template <option... O>
  void sort_keys(const O&... o) {
    places_ = heist::tabulate(keys_.size(), std::identity(), o...);
    heist::stable_sort(places_, [this](std::size_t i, std::size_t j) { return key(i) < key(j); }, o...);
  }

  std::vector<Key> keys_;
  std::vector<std::size_t> places_, starts_, order_;
};

}  // namespace heist::detail

HEIST_END
