#pragma once
// Loops over indices, which are computed where they are used, and over elements, which are sent along. Pieces of them travel.

#include <heist/base/export.hpp>
#include <heist/cluster/batch.hpp>
#include <heist/cluster/call.hpp>
#include <heist/join.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::cluster {

namespace detail {

// So that a range gives about a thousand pieces: their number must not depend on the machines, or sums would round
// differently.
template <class Size>
Size grain_for(Size size) {
  return std::max<Size>(static_cast<Size>(size / 1024), 1);
}

// The results of two halves of a loop, the left one first.
template <class Op, class Half>
typename Half::result join_halves(const Half& left, const Half& right) {
  if constexpr (std::is_void_v<typename Half::result>) {
    heist::join(left, right);
  } else {
    auto [a, b] = heist::join(left, right);
    return as_result<typename Half::result>(Op()(std::move(a), std::move(b)));
  }
}
// Those of the single calls one(first), …, one(last - 1).
template <class Op, class Index, class One>
auto combine(Index first, Index last, One one) {
  if constexpr (std::is_void_v<decltype(one(first))>) {
    for (Index i = first; i < last; ++i) one(i);
  } else {
    auto all = one(first);
    for (Index i = first + 1; i < last; ++i) all = as_result<decltype(all)>(Op()(std::move(all), one(i)));
    return all;
  }
}

// What the values of f are combined as, for an initial value of that type. Of numbers, neither's range or fraction is lost: ints
// are summed up as longs, if that is what the sum begins with.
template <class Init, class One>
struct combined_as {
  using type = One;
};
template <class Init, class One>
  requires(std::is_arithmetic_v<Init> && std::is_arithmetic_v<One>)
struct combined_as<Init, One> : std::common_type<Init, One> {};

// f(i, arguments…) for each index of a range. Result: of the loop; void: nothing, whatever f returns.
template <auto f, class Op, class Result, class Index, class... More>
class over_indices {
 public:
  static constexpr bool travels = true;
  static constexpr auto function = f;
  using result = Result;

  over_indices(Index first, Index last, Index grain, values<More...> with)
      : first_(first), last_(last), grain_(grain), with_(std::move(with)) {}

  result operator()() const { return call_here(*this); }

  result here() const {
    if (last_ - first_ <= grain_) return leaf();
    const Index middle = static_cast<Index>(first_ + (last_ - first_) / 2);
    return join_halves<Op>(over_indices(first_, middle, grain_, with_), over_indices(middle, last_, grain_, with_));
  }

  result travel() const { return travel_as(*this); }
  static over_indices read(reader& r) {
    const auto first = get<Index>(r), last = get<Index>(r), grain = get<Index>(r);
    if (!(first < last) || grain < 1) throw undecodable();
    return over_indices(first, last, grain, values<More...>::read(r));
  }
  void write(writer& w) const {
    put(w, first_);
    put(w, last_);
    put(w, grain_);
    with_.write(w);
  }
  result accept(reader& r) const {
    if constexpr (std::is_void_v<result>)
      return;
    else
      return get<result>(r);
  }

 private:
  result leaf() const {
    return combine<Op>(first_, last_, [&](Index i) -> result {
      return with_.apply([&](auto&&... more) -> result { return static_cast<result>(f(i, more...)); });
    });
  }

  Index first_, last_, grain_;
  [[no_unique_address]] values<More...> with_;
};

// f(element, arguments…) for each element. They are here, or came in a message and are kept.
template <auto f, class Op, class Result, class Element, class... More>
class over_elements {
 public:
  static constexpr bool travels = true;
  static constexpr auto function = f;
  using result = Result;

  over_elements(std::span<const Element> of, std::uint64_t grain, values<More...> with)
      : of_(of), grain_(grain), with_(std::move(with)) {}

  result operator()() const { return call_here(*this); }

  result here() const {
    if (of_.size() <= grain_) return leaf();
    const std::size_t half = of_.size() / 2;
    return join_halves<Op>(over_elements(of_.first(half), grain_, with_), over_elements(of_.subspan(half), grain_, with_));
  }

  result travel() const { return travel_as(*this); }
  static over_elements read(reader& r) {
    const auto grain = get<std::uint64_t>(r);
    auto own = std::make_shared<std::vector<Element>>(get<std::vector<Element>>(r));
    if (grain < 1 || own->empty()) throw undecodable();
    over_elements all(*own, grain, values<More...>::read(r));
    all.own_ = std::move(own);
    return all;
  }
  void write(writer& w) const {
    put(w, grain_);
    put(w, static_cast<std::uint64_t>(of_.size()));
    if constexpr (is_bits<Element>)
      w.raw(of_.data(), of_.size_bytes());
    else
      for (const Element& e : of_) put(w, e);
    with_.write(w);
  }
  result accept(reader& r) const {
    if constexpr (std::is_void_v<result>)
      return;
    else
      return get<result>(r);
  }

 private:
  result leaf() const {
    return combine<Op>(std::size_t{0}, of_.size(), [&](std::size_t i) -> result {
      return with_.apply([&](auto&&... more) -> result { return static_cast<result>(f(Element(of_[i]), more...)); });
    });
  }

  std::span<const Element> of_;
  std::uint64_t grain_;
  [[no_unique_address]] values<More...> with_;
  std::shared_ptr<const std::vector<Element>> own_;
};

template <class Range>
concept elements = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range>;
// Others are put one behind the other first, but for indices, which need not be sent.
template <class Range>
concept other_elements = std::ranges::input_range<Range> && !elements<std::remove_cvref_t<Range>>;
template <class Range>
inline constexpr bool counts = false;
template <class I, class Bound>
inline constexpr bool counts<std::ranges::iota_view<I, Bound>> = std::is_integral_v<I> && std::is_integral_v<Bound>;

template <class Range>
auto in_a_row(Range&& r) {
  using element = std::ranges::range_value_t<Range>;
  static_assert(!std::is_same_v<element, bool>, "heist::cluster: a std::vector<bool> has no elements to send: use chars");
  static_assert(!std::is_same_v<std::ranges::sentinel_t<Range>, std::unreachable_sentinel_t>,
                "heist::cluster: this range has no end; pass the two indices, or std::views::take");
  std::vector<element> all;
  for (auto&& e : r) all.push_back(std::forward<decltype(e)>(e));
  return all;
}

template <class Index, class Size>
Index behind(Index first, Size n) {
  return static_cast<Index>(first + static_cast<Index>(n));
}

template <class First, class Last>
struct indices : std::common_type<First, Last> {};
// A negative first one stays what it is.
template <std::signed_integral First, std::unsigned_integral Last>
struct indices<First, Last> : std::common_type<First, Last, std::int64_t> {};
template <std::signed_integral First, std::unsigned_integral Last>
  requires(sizeof(Last) == sizeof(std::int64_t))
struct indices<First, Last> : std::type_identity<std::int64_t> {};
template <class First, class Last>
using index_of = typename indices<First, Last>::type;

template <class Op>
consteval bool travels_by_type() {
  static_assert(std::is_empty_v<Op> && std::is_default_constructible_v<Op>,
                "heist::cluster::transform_reduce<&f, Op>: an operator travels by its type, so it has no state");
  return true;
}

template <auto f, class Op, class Result, class Index, class... A>
Result over(Index first, Index last, A... a) {
  static_cast<void>(&use_of<f>);
  return over_indices<f, Op, Result, Index, A...>(first, last, grain_for(last - first), fill<values<A...>>::from(std::move(a)...))();
}
template <auto f, class Op, class Result, class Range, class... A>
Result over(const Range& r, A... a) {
  static_cast<void>(&use_of<f>);
  using element = std::ranges::range_value_t<Range>;
  const std::span<const element> all(std::ranges::data(r), std::ranges::size(r));
  return over_elements<f, Op, Result, element, A...>(all, grain_for(std::uint64_t{all.size()}), fill<values<A...>>::from(std::move(a)...))();
}

// init, and a loop's result.
template <class Op, class T, class Result>
T with_init(T init, Result of_the_loop) {
  if constexpr (std::is_arithmetic_v<T> && std::is_arithmetic_v<Result>)
    return static_cast<T>(Op()(static_cast<Result>(init), of_the_loop));
  else
    return Op()(std::move(init), std::move(of_the_loop));
}

}  // namespace detail

// f(i, arguments…) for each i from first to last - 1. Pieces of the range travel.
template <auto f, class First, class Last, class... A>
  requires std::is_integral_v<First>
void for_each_index(First first, Last last, A... a) {
  using index = detail::index_of<First, Last>;
  static_assert(std::is_integral_v<index> && std::is_invocable_v<decltype(f), index, A...>,
                "heist::cluster::for_each_index<&f>(first, last, arguments…) calls f(index, arguments…)");
  if constexpr (detail::can_be_task<f>())
    if (std::cmp_less(first, last)) detail::over<f, void, void>(static_cast<index>(first), static_cast<index>(last), std::move(a)...);
}

// f(element, arguments…) for each element. Pieces of the range travel, with their elements.
template <auto f, detail::elements Range, class... A>
void for_each(const Range& r, A... a) {
  static_assert(std::is_invocable_v<decltype(f), std::ranges::range_value_t<Range>, A...>,
                "heist::cluster::for_each<&f>(range, arguments…) calls f(element, arguments…)");
  if constexpr (detail::can_be_task<f>())
    if (!std::ranges::empty(r)) detail::over<f, void, void>(r, std::move(a)...);
}

// The same of what need not lie in a row: lists, views.
template <auto f, detail::other_elements Range, class... A>
void for_each(Range&& r, A... a) {
  using range = std::remove_cvref_t<Range>;
  if constexpr (detail::counts<range>) {
    if (const auto n = r.size(); n > 0) for_each_index<f>(*r.begin(), detail::behind(*r.begin(), n), std::move(a)...);
  } else {
    for_each<f>(detail::in_a_row(r), std::move(a)...);
  }
}

// init and all f(i, arguments…), combined by Op, from left to right: numbers in the common type of init and f's result.
template <auto f, class Op = std::plus<>, class First, class Last, class T, class... A>
  requires std::is_integral_v<First>
T transform_reduce(First first, Last last, T init, A... a) {
  using index = detail::index_of<First, Last>;
  static_assert(std::is_integral_v<index> && std::is_invocable_v<decltype(f), index, A...>,
                "heist::cluster::transform_reduce<&f>(first, last, init, arguments…) calls f(index, arguments…)");
  if constexpr (detail::can_be_task<f>() && detail::travels_by_type<Op>()) {
    if (!std::cmp_less(first, last)) return init;
    using result = typename detail::combined_as<T, std::invoke_result_t<decltype(f), index, A...>>::type;
    return detail::with_init<Op>(std::move(init), detail::over<f, Op, result>(static_cast<index>(first), static_cast<index>(last), std::move(a)...));
  }
}

// The same with all f(element, arguments…).
template <auto f, class Op = std::plus<>, detail::elements Range, class T, class... A>
T transform_reduce(const Range& r, T init, A... a) {
  static_assert(std::is_invocable_v<decltype(f), std::ranges::range_value_t<Range>, A...>,
                "heist::cluster::transform_reduce<&f>(range, init, arguments…) calls f(element, arguments…)");
  if constexpr (detail::can_be_task<f>() && detail::travels_by_type<Op>()) {
    if (std::ranges::empty(r)) return init;
    using result = typename detail::combined_as<T, std::invoke_result_t<decltype(f), std::ranges::range_value_t<Range>, A...>>::type;
    return detail::with_init<Op>(std::move(init), detail::over<f, Op, result>(r, std::move(a)...));
  }
}

template <auto f, class Op = std::plus<>, detail::other_elements Range, class T, class... A>
T transform_reduce(Range&& r, T init, A... a) {
  using range = std::remove_cvref_t<Range>;
  if constexpr (detail::counts<range>) {
    const auto n = r.size();
    if (n == 0) return init;
    return transform_reduce<f, Op>(*r.begin(), detail::behind(*r.begin(), n), std::move(init), std::move(a)...);
  } else {
    return transform_reduce<f, Op>(detail::in_a_row(r), std::move(init), std::move(a)...);
  }
}

}  // namespace heist::cluster

HEIST_END
