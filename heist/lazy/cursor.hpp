#pragma once
// Where the elements of a chain are while it runs: cursors know how many there are, and give any of them by its place.

#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>
#include <heist/lazy/element.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <iterator>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// cursor[k] is made anew each time; strands work with copies of a cursor.
template <class I>
struct range_cursor {
  I first;
  std::size_t n;

  std::size_t size() const noexcept { return n; }
  HEIST_INLINE decltype(auto) operator[](std::size_t k) const { return *detail::at(first, k); }
};

// The integers from `first` on.
template <class T>
struct index_cursor {
  T first;
  std::size_t n;

  std::size_t size() const noexcept { return n; }
  HEIST_INLINE T operator[](std::size_t k) const noexcept {
    return static_cast<T>(static_cast<std::size_t>(first) + k);
  }
};

// The iterators of a range without random access, noted in advance.
template <class I>
struct noted_cursor {
  std::shared_ptr<const std::vector<I>> places;

  std::size_t size() const noexcept { return places->size(); }
  HEIST_INLINE decltype(auto) operator[](std::size_t k) const { return *(*places)[k]; }
};

// Values that were gathered for this run; each is handed out once.
template <class V>
struct gathered_cursor {
  std::shared_ptr<std::vector<V>> values;

  std::size_t size() const noexcept { return values->size(); }
  HEIST_INLINE V&& operator[](std::size_t k) const { return std::move((*values)[k]); }
};
template <>
struct gathered_cursor<bool> {
  std::shared_ptr<std::vector<bool>> values;

  std::size_t size() const noexcept { return values->size(); }
  HEIST_INLINE bool operator[](std::size_t k) const { return (*values)[k]; }
};

template <class Inner, class F>
struct transform_cursor {
  Inner inner;
  [[no_unique_address]] stage_function<F> f;

  std::size_t size() const noexcept { return inner.size(); }
  HEIST_INLINE decltype(auto) operator[](std::size_t k) const { return f(inner[k]); }
};

template <class Inner, class F>
struct inspect_cursor {
  Inner inner;
  [[no_unique_address]] stage_function<F> f;

  std::size_t size() const noexcept { return inner.size(); }
  HEIST_INLINE auto operator[](std::size_t k) const -> passed_on<decltype(inner[k])> {
    decltype(auto) x = inner[k];
    f(x);
    return static_cast<passed_on<decltype(inner[k])>>(x);
  }
};

template <class Inner, class Pair>
struct enumerate_cursor {
  Inner inner;

  std::size_t size() const noexcept { return inner.size(); }
  HEIST_INLINE Pair operator[](std::size_t k) const { return Pair(k, inner[k]); }
};

// Cursors side by side. No std::tuple: that is not trivially copyable, and only what is may be copied into registers.
template <std::size_t k, class Inner>
struct numbered_cursor {
  Inner inner;
};
template <class Places, class... Inner>
struct cursors_aside;
template <std::size_t... k, class... Inner>
struct cursors_aside<std::index_sequence<k...>, Inner...> : numbered_cursor<k, Inner>... {
  std::size_t size() const noexcept {
    return std::min({static_cast<const numbered_cursor<k, Inner>&>(*this).inner.size()...});
  }
  template <class Tuple>
  HEIST_INLINE Tuple at(std::size_t place) const {
    return Tuple(static_cast<const numbered_cursor<k, Inner>&>(*this).inner[place]...);
  }
};

template <class Tuple, class... Inner>
struct zip_cursor {
  cursors_aside<std::index_sequence_for<Inner...>, Inner...> inner;

  std::size_t size() const noexcept { return inner.size(); }
  HEIST_INLINE Tuple operator[](std::size_t k) const { return inner.template at<Tuple>(k); }
};

// [first, first + n), by steps of `by`; from the far end if reversed.
template <class Inner>
struct slice_cursor {
  Inner inner;
  std::size_t first, n, by;

  std::size_t size() const noexcept { return n; }
  HEIST_INLINE decltype(auto) operator[](std::size_t k) const { return inner[first + k * by]; }
};
template <class Inner>
struct reverse_cursor {
  Inner inner;

  std::size_t size() const noexcept { return inner.size(); }
  HEIST_INLINE decltype(auto) operator[](std::size_t k) const { return inner[inner.size() - 1 - k]; }
};

template <class Inner>
struct rvalue_cursor {
  Inner inner;

  std::size_t size() const noexcept { return inner.size(); }
  HEIST_INLINE decltype(auto) operator[](std::size_t k) const {
    if constexpr (std::is_lvalue_reference_v<decltype(inner[k])>)
      return std::move(inner[k]);
    else
      return inner[k];
  }
};

// Random access to a cursor's elements, for the standard's views and algorithms. The cursor must outlive it.
template <class Cursor>
class cursor_iterator {
 public:
  using reference = decltype(std::declval<const Cursor&>()[0]);
  using value_type = std::remove_cvref_t<reference>;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category =
      std::conditional_t<std::is_reference_v<reference>, std::random_access_iterator_tag, std::input_iterator_tag>;

  cursor_iterator() = default;
  cursor_iterator(const Cursor& of, std::size_t k) noexcept : of_(&of), k_(static_cast<difference_type>(k)) {}

  reference operator*() const { return (*of_)[static_cast<std::size_t>(k_)]; }
  reference operator[](difference_type d) const { return (*of_)[static_cast<std::size_t>(k_ + d)]; }
  cursor_iterator& operator++() noexcept { return ++k_, *this; }
  cursor_iterator operator++(int) noexcept { return {*of_, static_cast<std::size_t>(k_++)}; }
  cursor_iterator& operator--() noexcept { return --k_, *this; }
  cursor_iterator operator--(int) noexcept { return {*of_, static_cast<std::size_t>(k_--)}; }
  cursor_iterator& operator+=(difference_type d) noexcept { return k_ += d, *this; }
  cursor_iterator& operator-=(difference_type d) noexcept { return k_ -= d, *this; }
  friend cursor_iterator operator+(cursor_iterator i, difference_type d) noexcept { return i += d; }
  friend cursor_iterator operator+(difference_type d, cursor_iterator i) noexcept { return i += d; }
  friend cursor_iterator operator-(cursor_iterator i, difference_type d) noexcept { return i -= d; }
  friend difference_type operator-(const cursor_iterator& a, const cursor_iterator& b) noexcept { return a.k_ - b.k_; }
  friend bool operator==(const cursor_iterator& a, const cursor_iterator& b) noexcept { return a.k_ == b.k_; }
  friend auto operator<=>(const cursor_iterator& a, const cursor_iterator& b) noexcept { return a.k_ <=> b.k_; }

 private:
  const Cursor* of_ = nullptr;
  difference_type k_ = 0;
};

// Some neighbours among a cursor's elements, as a range. It is valid while the call that it was passed to runs; what is kept
// of it is a vector.
template <class Cursor, class Value>
class slice {
 public:
  slice(const Cursor& of, std::size_t first, std::size_t n) : of_{of, first, n, 1} {}

  cursor_iterator<slice_cursor<Cursor>> begin() const noexcept { return {of_, 0}; }
  cursor_iterator<slice_cursor<Cursor>> end() const noexcept { return {of_, of_.size()}; }
  std::size_t size() const noexcept { return of_.size(); }
  bool empty() const noexcept { return of_.size() == 0; }
  decltype(auto) operator[](std::size_t k) const { return of_[k]; }
  decltype(auto) front() const { return of_[0]; }
  decltype(auto) back() const { return of_[of_.size() - 1]; }
  operator std::vector<Value>() const {  // NOLINT(google-explicit-constructor): what is kept of it
    std::vector<Value> all;
    all.reserve(size());
    for (std::size_t k = 0; k < size(); ++k) all.push_back(static_cast<Value>(of_[k]));
    return all;
  }

 private:
  slice_cursor<Cursor> of_;
};

// Every `by` elements the next `length`, or those that are left.
template <class Inner, class Slice>
struct slices_cursor {
  Inner inner;
  std::size_t n, length, by;

  std::size_t size() const noexcept { return n; }
  HEIST_INLINE Slice operator[](std::size_t k) const {
    const std::size_t first = k * by, count = std::min(length, inner.size() - first);
    if constexpr (requires { Slice(inner.first + first, count); })
      return Slice(inner.first + first, count);
    else
      return Slice(inner, first, count);
  }
};

}  // namespace heist::detail

HEIST_END
