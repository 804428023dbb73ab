#pragma once
// Places with random access in ranges that have none: somebody notes an iterator for each element. What is noted serves as a
// batch (feed.hpp), or, for algorithms that must be able to look anywhere, as the whole range.

#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// Ranges without random access, or of a size that is not known in advance. One without an end is
// refused as before.
template <class I, class S>
inline constexpr bool is_fed = std::input_iterator<I> && !std::same_as<S, std::unreachable_sentinel_t> &&
                               (!std::random_access_iterator<I> || !std::sized_sentinel_for<S, I>);

// Goes through the items of a batch, with random access; Look says what an item stands for.
template <class Item, class Look>
class batch_place {
 public:
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::random_access_iterator_tag;
  using value_type = typename Look::value;
  using difference_type = std::ptrdiff_t;
  using reference = typename Look::reference;
  using pointer = void;

  batch_place() = default;
  explicit batch_place(Item* at) noexcept : at_(at) {}

  // The item itself.
  Item& base() const noexcept { return *at_; }

  reference operator*() const { return Look::at(*at_); }
  reference operator[](difference_type k) const { return Look::at(at_[k]); }

  batch_place& operator++() noexcept { return ++at_, *this; }
  batch_place& operator--() noexcept { return --at_, *this; }
  batch_place operator++(int) noexcept { return batch_place(at_++); }
  batch_place operator--(int) noexcept { return batch_place(at_--); }
  batch_place& operator+=(difference_type k) noexcept { return at_ += k, *this; }
  batch_place& operator-=(difference_type k) noexcept { return at_ -= k, *this; }
  friend batch_place operator+(batch_place i, difference_type k) noexcept { return batch_place(i.at_ + k); }
  friend batch_place operator+(difference_type k, batch_place i) noexcept { return batch_place(i.at_ + k); }
  friend batch_place operator-(batch_place i, difference_type k) noexcept { return batch_place(i.at_ - k); }
  friend difference_type operator-(batch_place i, batch_place j) noexcept { return i.at_ - j.at_; }
  friend bool operator==(batch_place, batch_place) = default;
  friend auto operator<=>(batch_place, batch_place) = default;

 private:
  Item* at_ = nullptr;
};

// The element that an iterator points to.
template <class I>
struct pointed_to {
  using value = std::iter_value_t<I>;
  using reference = std::iter_reference_t<I>;
  static reference at(const I& i) { return *i; }
};
// Outputs that must be written in order.
template <class Out>
inline constexpr bool is_sequential = std::input_or_output_iterator<Out> && !std::random_access_iterator<Out>;

// What is fed, and what has an output that must be written in order.
template <class I, class S, class Out>
inline constexpr bool is_fed_into =
    is_fed<I, S> || (std::forward_iterator<I> && std::sized_sentinel_for<S, I> && is_sequential<Out>);

// Those that are noted: they can be read again.
template <class I, class S>
inline constexpr bool is_noted = is_fed<I, S> && std::forward_iterator<I>;

// The same for a second range whose end is left out.
template <class I>
inline constexpr bool is_noted_beside = std::forward_iterator<I> && !std::random_access_iterator<I>;

// A range as places with random access: its own, or noted ones, which take a word or two for each element.
template <class I, class S, bool noted = is_noted<I, S>>
class places {
 public:
  using place = I;

  places(I first, S last) : first_(std::move(first)), last_(std::move(last)) {}

  const I& begin() const noexcept { return first_; }
  const S& end() const noexcept { return last_; }
  // What an algorithm returned, as iterators of the range.
  template <class X>
  static X real(X x) {
    return x;
  }

 private:
  const I first_;
  const S last_;
};
template <class I, class S>
class places<I, S, true> {
 public:
  using place = batch_place<I, pointed_to<I>>;

  places(I first, const S& last) {
    for (; first != last; ++first) at_.push_back(first);
    at_.push_back(std::move(first));  // the end is a place, too
  }

  place begin() noexcept { return place(at_.data()); }
  place end() noexcept { return place(at_.data() + at_.size() - 1); }
  template <class X>
  static X real(X x) {
    return x;
  }
  static I real(place x) { return x.base(); }
  static std::pair<I, I> real(std::pair<place, place> x) { return {x.first.base(), x.second.base()}; }

 private:
  std::vector<I> at_;
};

// Algorithm::run() on places with random access. An algorithm that has takes_any does not need them.
template <class Algorithm>
inline constexpr bool needs_places = !requires { Algorithm::takes_any; };
template <class Algorithm, class I, class S, class... Rest>
auto run_on(const I& first, const S& last, Rest&... rest) {
  if constexpr (is_noted<I, S> && needs_places<Algorithm>) {
    places<I, S> all(first, last);
    return all.real(Algorithm::run(all.begin(), all.end(), rest...));
  } else {
    return Algorithm::run(first, last, rest...);
  }
}
template <class Algorithm, class I1, class S1, class I2, class S2, class... Rest>
auto run_on_two(const I1& first1, const S1& last1, const I2& first2, const S2& last2, Rest&... rest) {
  if constexpr (is_noted<I1, S1> || is_noted<I2, S2>) {
    places<I1, S1> one(first1, last1);
    places<I2, S2> other(first2, last2);
    return one.real(Algorithm::run(one.begin(), one.end(), other.begin(), other.end(), rest...));
  } else {
    return Algorithm::run(first1, last1, first2, last2, rest...);
  }
}

}  // namespace heist::detail

HEIST_END
