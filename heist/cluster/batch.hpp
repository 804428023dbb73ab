#pragma once
// Several calls of one function: halves of them travel as one message.

#include <heist/base/export.hpp>
#include <heist/cluster/call.hpp>
#include <heist/join.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::cluster {

namespace detail {

// What an operator gives: that of two shorts is an int.
template <class Result, class T>
Result as_result(T&& value) {
  if constexpr (std::is_arithmetic_v<Result>)
    return static_cast<Result>(value);
  else
    return std::forward<T>(value);
}

// Calls that are here, or that came in a message and are kept.
template <auto f>
class some_calls {
 public:
  explicit some_calls(std::span<const call<f>> of) : of_(of) {}

  static some_calls read(reader& r) {
    const auto n = get<std::uint64_t>(r);
    if (n == 0 || n > most_numbers_of_calls) throw undecodable();
    auto own = std::make_shared<std::vector<call<f>>>();
    for (std::uint64_t i = 0; i < n; ++i) own->push_back(call<f>::read(r));
    some_calls all(*own);
    all.own_ = std::move(own);
    return all;
  }
  void write(writer& w) const {
    put(w, static_cast<std::uint64_t>(of_.size()));
    for (const call<f>& c : of_) c.write(w);
  }

  std::size_t size() const noexcept { return of_.size(); }
  const call<f>& front() const noexcept { return of_.front(); }
  some_calls left() const { return some_calls(of_.first(of_.size() / 2)); }
  some_calls right() const { return some_calls(of_.subspan(of_.size() / 2)); }

 private:
  static constexpr std::uint64_t most_numbers_of_calls = std::uint64_t{1} << 32;

  std::span<const call<f>> of_;
  std::shared_ptr<const std::vector<call<f>>> own_;
};

// Their results, combined from left to right as a balanced tree, whose shape depends on their number only.
template <auto f, class Op>
class combined {
 public:
  static constexpr bool travels = true;
  static constexpr auto function = f;
  using result = typename call<f>::result;

  explicit combined(some_calls<f> of) : of_(std::move(of)) {}

  result operator()() const { return call_here(*this); }

  result here() const {
    if (of_.size() == 1) return of_.front()();
    auto [a, b] = heist::join(combined(of_.left()), combined(of_.right()));
    return as_result<result>(Op()(std::move(a), std::move(b)));
  }

  result travel() const { return travel_as(*this); }
  static combined read(reader& r) { return combined(some_calls<f>::read(r)); }
  void write(writer& w) const { of_.write(w); }
  result accept(reader& r) const { return get<result>(r); }

 private:
  some_calls<f> of_;
};

// Each result at its place.
template <auto f>
class gathered {
 public:
  static constexpr bool travels = true;
  static constexpr auto function = f;
  using one = typename call<f>::result;
  using value = std::conditional_t<std::is_void_v<one>, std::monostate, one>;
  using result = std::vector<value>;

  explicit gathered(some_calls<f> of) : of_(std::move(of)) {}

  result operator()() const { return call_here(*this); }

  result here() const {
    result all;
    if (of_.size() == 1) {
      all.push_back(heist::detail::call(of_.front()));
      return all;
    }
    auto [a, b] = heist::join(gathered(of_.left()), gathered(of_.right()));
    all = std::move(a);
    for (auto&& v : b) all.push_back(std::move(v));
    return all;
  }

  result travel() const { return travel_as(*this); }
  static gathered read(reader& r) { return gathered(some_calls<f>::read(r)); }
  void write(writer& w) const { of_.write(w); }
  result accept(reader& r) const { return get<result>(r); }

 private:
  some_calls<f> of_;
};

template <class T>
inline constexpr bool is_call = false;
template <auto f>
inline constexpr bool is_call<call<f>> = true;
template <class Range>
concept calls = std::ranges::contiguous_range<const Range> && std::ranges::sized_range<const Range> && is_call<std::ranges::range_value_t<const Range>>;

template <class Op, class Call>
consteval bool can_fold() {
  constexpr bool something = !std::is_void_v<typename Call::result>;
  constexpr bool by_type = std::is_empty_v<Op> && std::is_default_constructible_v<Op>;
  static_assert(something, "heist::cluster: calls of a function that returns nothing have no sum: hc::all(calls) makes them");
  static_assert(by_type, "heist::cluster::reduce<Op>: an operator travels by its type, so it has no state");
  return something && by_type;
}

template <class Op, auto f>
auto fold(std::span<const call<f>> calls) {
  using result = typename call<f>::result;
  if constexpr (can_fold<Op, call<f>>()) {
    static_cast<void>(&use_of<f>);
    if (calls.empty()) return result{};
    return combined<f, Op>(some_calls<f>(calls))();
  }
}

template <auto f>
auto gather(std::span<const call<f>> calls) {
  using work = gathered<f>;
  typename work::result results;
  if (!calls.empty()) results = work(some_calls<f>(calls))();
  if constexpr (!std::is_void_v<typename work::one>) return results;
}

template <calls Range>
auto span_of(const Range& r) {
  return std::span<const std::ranges::range_value_t<const Range>>(std::ranges::data(r), std::ranges::size(r));
}

}  // namespace detail

// Of calls that lie one behind the other: a vector, an array, a span, or a list in braces.

// The sum of the results, of which each may be computed on another machine. A value-initialised result if there are none.
template <detail::calls Range>
auto sum(const Range& calls) {
  return detail::fold<std::plus<>>(detail::span_of(calls));
}
template <auto f>
auto sum(std::initializer_list<call<f>> calls) {
  return detail::fold<std::plus<>>(std::span<const call<f>>(calls.begin(), calls.size()));
}
// The same with another operator, a class without state, which must be associative.
template <class Op, detail::calls Range>
auto reduce(const Range& calls) {
  return detail::fold<Op>(detail::span_of(calls));
}
template <class Op, auto f>
auto reduce(std::initializer_list<call<f>> calls) {
  return detail::fold<Op>(std::span<const call<f>>(calls.begin(), calls.size()));
}

// All results, in order. Nothing if f returns nothing.
template <detail::calls Range>
auto all(const Range& calls) {
  return detail::gather(detail::span_of(calls));
}
template <auto f>
auto all(std::initializer_list<call<f>> calls) {
  return detail::gather(std::span<const call<f>>(calls.begin(), calls.size()));
}

}  // namespace heist::cluster

HEIST_END
