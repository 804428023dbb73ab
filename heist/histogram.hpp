#pragma once
// histogram: how many elements fall into each bin.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/function.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist {
namespace detail {

// Each strand counts into a table of its own: the caller into the one that is returned, a thief
// into one that is added to it at the end.
template <class I, class Bin, class Options>
class histogram_body {
 public:
  histogram_body(const I& first, Bin& bin, const Options& options, std::size_t bins)
      : first_(first), bin_(bin), options_(options), bins_(bins), counts_(bins) {}

  void operator()(std::size_t a, std::size_t b) {
    options_.check();
    // Locals, because a store to a count might alias the members. Unrolled by four, which pays for
    // the check of the bin number.
    const local_function bin(bin_);
    const std::size_t bins = bins_;
    std::size_t* const counts = counts_.data();
    auto count = [&](const I& i) {
      const auto k = static_cast<std::size_t>(bin(*i));
      if (k >= bins) refuse();
      ++counts[k];
    };
    I i = detail::at(first_, a);
    for (; b - a >= 4; a += 4, i += 4) {
      count(i);
      count(i + 1);
      count(i + 2);
      count(i + 3);
    }
    for (; a != b; ++a, ++i) count(i);
  }
  histogram_body fork() const { return {first_, bin_, options_, bins_}; }
  void merge(histogram_body&& later) noexcept {
    for (std::size_t k = 0; k < bins_; ++k) counts_[k] += later.counts_[k];
  }

  std::vector<std::size_t> take() noexcept { return std::move(counts_); }

 private:
  [[noreturn]] HEIST_COLD static void refuse() {
    throw std::out_of_range("heist::histogram: the bin number of an element is not in [0, bins)");
  }

  const I& first_;
  Bin& bin_;
  const Options& options_;
  const std::size_t bins_;
  std::vector<std::size_t> counts_;
};

template <class I, class S, class Bin>
consteval bool can_count_bins() noexcept {
  if constexpr (!can_read<I, S>()) {
    return false;
  } else if constexpr (!can_call<Bin, I>()) {
    return false;
  } else {
    constexpr bool numbered =
        std::is_integral_v<std::remove_cvref_t<std::invoke_result_t<Bin&, std::iter_reference_t<I>>>>;
    static_assert(numbered, "heist::histogram: a bin number must be an integer");
    return numbered;
  }
}

}  // namespace detail

// Returns `bins` counts: counts[k] is how many elements x have bin(x) = k. Throws std::out_of_range
// if a bin number is not in [0, bins). Without a function the elements are the bin numbers. A range
// of no more elements than bins runs inline on the caller, unless a grain says otherwise.
template <class I, detail::sentinel<I> S, detail::function Bin = std::identity, detail::option... O>
[[nodiscard]] std::vector<std::size_t> histogram(I first, S last, std::size_t bins, Bin bin, const O&... o) {
  if constexpr (detail::can_count_bins<I, S, Bin>()) {
    const std::size_t n = detail::length(first, last);
    const detail::options_of options(o...);
    detail::histogram_body<I, Bin, decltype(options)> body(first, bin, options, bins);
    detail::loop(n, body, options, 1, std::max<std::size_t>(bins, 1));
    return body.take();
  } else {
    return {};
  }
}
template <class I, detail::sentinel<I> S, detail::option... O>
[[nodiscard]] std::vector<std::size_t> histogram(I first, S last, std::size_t bins, const O&... o) {
  return heist::histogram(std::move(first), std::move(last), bins, std::identity(), o...);
}
template <detail::range R, detail::function Bin = std::identity, detail::option... O>
[[nodiscard]] std::vector<std::size_t> histogram(R&& r, std::size_t bins, Bin bin, const O&... o) {
  return heist::histogram(std::ranges::begin(r), std::ranges::end(r), bins, std::move(bin), o...);
}
template <detail::range R, detail::option... O>
[[nodiscard]] std::vector<std::size_t> histogram(R&& r, std::size_t bins, const O&... o) {
  return heist::histogram(std::ranges::begin(r), std::ranges::end(r), bins, std::identity(), o...);
}

// Refused: what fits no form.
HEIST_NO_SUCH_FORM(histogram, "heist::histogram takes a range, or its two ends, and the number of bins, then "
                              "perhaps a function that gives the bin")

}  // namespace heist

HEIST_END
