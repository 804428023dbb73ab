#pragma once
// The places of the smallest elements. Of equal elements the one that comes first counts as the
// smaller, so the result does not depend on the schedule.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/lookout.hpp>
#include <heist/algorithm/quick_sort.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>

#include <cstddef>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// Which of two places has the smaller element.
template <class I, class Less>
struct place_order {
  I first;
  const Less& less;

  bool operator()(std::size_t i, std::size_t j) const {
    if (less(*detail::at(first, i), *detail::at(first, j))) return true;
    if (less(*detail::at(first, j), *detail::at(first, i))) return false;
    return i < j;
  }
};

// Keeps the `most` smallest places of what it has seen, and up to as many candidates. When there are
// twice as many, it selects. A place that is not smaller than the last of the kept ones is dropped at
// once.
template <class Order, class Options>
class smallest_body {
 public:
  smallest_body(std::size_t most, const Order& order, const Options& options)
      : most_(most), order_(order), options_(options) {}

  void operator()(std::size_t a, std::size_t b) {
    looking looks(options_, order_);
    options_.check();
    for (; a != b; ++a) add(a, looks);
  }
  smallest_body fork() const { return {most_, order_, options_}; }
  void merge(smallest_body&& later) {
    looking looks(options_, order_);
    for (const std::size_t place : later.places_) add(place, looks);
  }

  // In order.
  std::vector<std::size_t> take() {
    looking looks(options_, order_);
    if (places_.size() > most_) shrink(looks);
    detail::quick_sort(places_.data(), places_.size(), looks, alone{options_});
    return std::move(places_);
  }

 private:
  // A comparison may take long, and a selection may have many of them.
  using looking = looking_predicate<Options, const Order>;

  // One strand selects by itself.
  struct alone : not_forking {
    const Options& options;
    explicit alone(const Options& o) noexcept : options(o) {}
    void check() const { options.check(); }
  };

  void add(std::size_t place, looking& looks) {
    if (bounded_ && !looks(place, bound_)) return;
    places_.push_back(place);
    if (places_.size() >= 2 * most_) shrink(looks);
  }
  void shrink(looking& looks) {
    // Not the standard's, which may leave the range if the comparison is no order.
    detail::quick_select(places_.data(), most_ - 1, places_.size(), looks, alone{options_});
    places_.resize(most_);
    bound_ = places_.back();
    bounded_ = true;
  }

  const std::size_t most_;
  const Order& order_;
  const Options& options_;
  std::vector<std::size_t> places_;
  std::size_t bound_ = 0;
  bool bounded_ = false;
};

// All places, to be brought into some order.
HEIST_API std::vector<std::size_t> every_place(std::size_t n);

// The places of the `most` smallest of n elements, in order. Work n + most · lg most, if the elements
// are in no order.
template <class I, class Less, option... O>
std::vector<std::size_t> smallest_places(const I& first, std::size_t n, std::size_t most, const Less& less,
                                         const O&... o) {
  if (most == 0) return {};
  const options_of options(o...);
  const place_order<I, Less> order{first, less};
  if (most <= n / 32) {
    smallest_body<place_order<I, Less>, decltype(options)> body(most, order, options);
    detail::loop(n, body, options, 1, most);
    return body.take();
  }
  std::vector<std::size_t> all = every_place(n);
  const forking how(options, 1024);
  how.enter(n, [&] {
    if (most < n) detail::quick_select(all.data(), most - 1, n, order, how);
    detail::quick_sort(all.data(), most, order, how);
  });
  all.resize(most);
  return all;
}

// The place of the element that a stable sort would put at place k < n.
template <class I, class Less, option... O>
std::size_t kth_place(const I& first, std::size_t n, std::size_t k, const Less& less, const O&... o) {
  const options_of options(o...);
  const place_order<I, Less> order{first, less};
  std::vector<std::size_t> all = every_place(n);
  const forking how(options, 1024);
  how.enter(n, [&] { detail::quick_select(all.data(), k, n, order, how); });
  return all[k];
}

}  // namespace heist::detail

HEIST_END
