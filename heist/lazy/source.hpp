#pragma once
// What a chain of stages reads from. A source is opened when the chain runs; what it gives then is a cursor.

#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>
#include <heist/lazy/cursor.hpp>
#include <heist/lazy/element.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// Calls f with at most that many iterators of a range. Does not step past the last one: a stream would read on.
template <class R, class F>
void visit_up_to(R& r, std::size_t most, F f) {
  if (most == 0) return;
  const auto end = std::ranges::end(r);
  for (auto i = std::ranges::begin(r); i != end; ++i) {
    f(i);
    if (--most == 0) return;
  }
}
inline constexpr std::size_t to_the_end = std::numeric_limits<std::size_t>::max();

// Opens a range: by its places, or else by iterators that are noted first, or else by values that are.
template <class R>
auto open_up_to(R& r, std::size_t most) {
  using I = std::ranges::iterator_t<R>;
  if constexpr (std::random_access_iterator<I>) {
    const I first = std::ranges::begin(r);
    std::size_t n = 0;
    if constexpr (std::sized_sentinel_for<std::ranges::sentinel_t<R>, I>)
      n = std::min(most, detail::length(first, std::ranges::end(r)));
    else if constexpr (std::same_as<std::ranges::sentinel_t<R>, std::unreachable_sentinel_t>)
      n = most;
    else
      detail::visit_up_to(r, most, [&](const I&) { ++n; });
    return range_cursor<decltype(detail::plain(first))>{detail::plain(first), n};
  } else if constexpr (std::forward_iterator<I>) {
    auto places = std::make_shared<std::vector<I>>();
    detail::visit_up_to(r, most, [&](const I& i) { places->push_back(i); });
    return noted_cursor<I>{std::move(places)};
  } else {
    auto values = std::make_shared<std::vector<std::ranges::range_value_t<R>>>();
    detail::visit_up_to(r, most, [&](I& i) { values->push_back(*i); });
    return gathered_cursor<std::ranges::range_value_t<R>>{std::move(values)};
  }
}
template <class R>
using element_of_range = element<decltype(detail::open_up_to(std::declval<R&>(), 0)[0]), std::ranges::range_value_t<R>>;

// A range that the caller keeps.
template <class R>
struct lent_range {
  R* range;

  using element = element_of_range<R>;
  template <class Options>
  auto open(const Options&) const {
    return detail::open_up_to(*range, to_the_end);
  }
  R& as_range() const noexcept { return *range; }
};

// A range that the chain keeps. Mutable: some views change when they are read.
template <class R>
struct kept_range {
  mutable R range;

  using element = element_of_range<R>;
  template <class Options>
  auto open(const Options&) const {
    return detail::open_up_to(range, to_the_end);
  }
  R& as_range() const noexcept { return range; }
};

// A range of unknown size, perhaps without an end, beside something that has one: it is looked at only as far as that
// goes.
template <class Range>
struct unsized_range {
  Range range;

  using element = typename Range::element;
  auto open_up_to(std::size_t n) const { return detail::open_up_to(range.as_range(), n); }
};

template <class T>
struct index_range {
  T first;
  std::size_t n;

  using element = detail::element<T>;
  template <class Options>
  index_cursor<T> open(const Options&) const noexcept {
    return {first, n};
  }
};

template <class Inner, class F>
struct transform_source {
  Inner inner;
  [[no_unique_address]] F f;

  using element = detail::element<result_with<F, typename Inner::element::reference>>;
  template <class Options>
  auto open(const Options& o) const {
    auto in = inner.open(o);
    return transform_cursor<decltype(in), F>{std::move(in), stage_function<F>(f)};
  }
};

template <class Inner, class F>
struct inspect_source {
  Inner inner;
  [[no_unique_address]] F f;

  using element = detail::element<passed_on<typename Inner::element::reference>, typename Inner::element::value>;
  template <class Options>
  auto open(const Options& o) const {
    auto in = inner.open(o);
    return inspect_cursor<decltype(in), F>{std::move(in), stage_function<F>(f)};
  }
};

template <class Inner>
struct enumerate_source {
  Inner inner;

  using pair = std::pair<std::size_t, passed_on<typename Inner::element::reference>>;
  using element = detail::element<pair, std::pair<std::size_t, typename Inner::element::value>>;
  template <class Options>
  auto open(const Options& o) const {
    auto in = inner.open(o);
    return enumerate_cursor<decltype(in), pair>{std::move(in)};
  }
};

// Two make a pair, as a map wants it; more make a tuple.
template <class... T>
struct tuple_for {
  using type = std::tuple<T...>;
};
template <class A, class B>
struct tuple_for<A, B> {
  using type = std::pair<A, B>;
};

template <class... Inner>
struct zip_source {
  std::tuple<Inner...> inner;

  using tuple = typename tuple_for<passed_on<typename Inner::element::reference>...>::type;
  using element = detail::element<tuple, typename tuple_for<typename Inner::element::value...>::type>;
  template <class Options>
  auto open(const Options& o) const {
    return open(o, std::index_sequence_for<Inner...>());
  }

 private:
  // What has a size is opened first. At least one does: what the chain began with.
  struct unopened {
    static constexpr std::size_t size() noexcept { return to_the_end; }
  };
  template <class Options, class S>
  static auto open_sized(const Options& o, const S& s) {
    if constexpr (requires { s.open_up_to(0); })
      return unopened();
    else
      return s.open(o);
  }
  template <class C, class S>
  static auto open_rest(C c, [[maybe_unused]] const S& s, [[maybe_unused]] std::size_t n) {
    if constexpr (std::same_as<C, unopened>)
      return s.open_up_to(n);
    else
      return c;
  }
  template <class Options, std::size_t... i>
  auto open(const Options& o, std::index_sequence<i...>) const {
    auto sized = std::tuple{open_sized(o, std::get<i>(inner))...};
    const std::size_t n = std::min({std::get<i>(sized).size()...});
    using cursor = zip_cursor<tuple, decltype(open_rest(std::get<i>(std::move(sized)), std::get<i>(inner), n))...>;
    return cursor{{{open_rest(std::get<i>(std::move(sized)), std::get<i>(inner), n)}...}};
  }
};

// Part of the elements: take, drop, stride.
template <class Inner>
struct slice_source {
  Inner inner;
  std::size_t skipped, most, by;

  using element = typename Inner::element;
  template <class Options>
  auto open(const Options& o) const {
    auto in = inner.open(o);
    const std::size_t left = in.size() - std::min(in.size(), skipped);
    const std::size_t n = std::min(left / by + (left % by != 0), most);
    return slice_cursor<decltype(in)>{std::move(in), skipped, n, by};
  }
};

template <class Inner>
struct reverse_source {
  Inner inner;

  using element = typename Inner::element;
  template <class Options>
  auto open(const Options& o) const {
    auto in = inner.open(o);
    return reverse_cursor<decltype(in)>{std::move(in)};
  }
};

template <class Inner>
struct rvalue_source {
  Inner inner;

  using element =
      detail::element<std::remove_reference_t<typename Inner::element::reference>&&, typename Inner::element::value>;
  template <class Options>
  auto open(const Options& o) const {
    auto in = inner.open(o);
    return rvalue_cursor<decltype(in)>{std::move(in)};
  }
};

enum class slicing : unsigned char { chunks, windows };

// Neighbours: of an array a std::span, else a slice.
template <class Inner, slicing how>
struct slices_source {
  Inner inner;
  std::size_t length;

  using cursor = decltype(std::declval<const Inner&>().open(0));
  static consteval auto kinds() {
    if constexpr (requires(const cursor& c) { std::span(c.first, c.n); }) {
      using neighbours = std::span<std::remove_pointer_t<decltype(cursor::first)>>;
      return detail::element<neighbours, neighbours>();
    } else {
      using value = typename Inner::element::value;
      return detail::element<slice<cursor, value>, std::vector<value>>();
    }
  }
  using element = decltype(kinds());
  template <class Options>
  auto open(const Options& o) const {
    auto in = inner.open(o);
    const std::size_t all = in.size();
    std::size_t n = 0;
    if constexpr (how == slicing::chunks)
      n = all / length + (all % length != 0);
    else
      n = all < length ? 0 : all - length + 1;
    return slices_cursor<decltype(in), typename element::reference>{std::move(in), n, length,
                                                                    how == slicing::chunks ? length : 1};
  }
};

// The length of neighbours; zero would never end.
inline std::size_t checked_length(std::size_t n) {
  if (n == 0) throw std::invalid_argument("heist::stage: chunks, windows and strides have at least one element, not 0");
  return n;
}

// A view whose elements a cursor gives, so that the standard's views can be stages.
template <class Cursor>
struct cursor_view : std::ranges::view_base {
  explicit cursor_view(Cursor c) : of(std::make_shared<const Cursor>(std::move(c))) {}

  cursor_iterator<Cursor> begin() const noexcept { return {*of, 0}; }
  cursor_iterator<Cursor> end() const noexcept { return {*of, of->size()}; }
  std::size_t size() const noexcept { return of->size(); }

  std::shared_ptr<const Cursor> of;
};

}  // namespace heist::detail

HEIST_END
