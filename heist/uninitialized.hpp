#pragma once
// Objects made in raw memory, and destroyed, in parallel. If something throws, or the call is
// cancelled, all objects that were made are destroyed, and the first exception in the order of the
// range is thrown. The iterator forms return what std returns, the range forms what std::ranges
// returns.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/buffer.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>
#include <heist/cancelled.hpp>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {

// To make objects at the places of an iterator.
template <class I, class S>
consteval bool can_make() noexcept {
  if constexpr (!can_read<I, S>()) {
    return false;
  } else {
    constexpr bool memory = std::is_lvalue_reference_v<std::iter_reference_t<I>> &&
                            std::same_as<std::remove_cvref_t<std::iter_reference_t<I>>, std::iter_value_t<I>>;
    static_assert(memory, "heist: objects are made in memory, and the elements of this range are not objects in memory");
    return memory;
  }
}

template <class I>
void* memory_at(const I& i) {
  return const_cast<void*>(static_cast<const volatile void*>(std::addressof(*i)));
}

// Makes the objects [lo, hi) by make(k, where). Both halves always run, because we must know what
// exists; but no piece begins after `failed`, which is the first that threw, as far as is known. Returns
// what was thrown first; then nothing exists.
template <class How, class I, class Make>
[[gnu::noinline]] std::exception_ptr make_objects(const How& how, const I& first, std::size_t lo, std::size_t hi,
                                                  const Make& make, std::atomic<std::size_t>& failed) {
  if (hi - lo <= how.grain()) {
    std::size_t k = lo;
    try {
      how.check();
      if (failed.load(std::memory_order_relaxed) < lo) throw cancelled();
      for (; k != hi; ++k) make(k, detail::memory_at(detail::at(first, k)));
      return nullptr;
    } catch (...) {
      std::destroy(detail::at(first, lo), detail::at(first, k));
      std::size_t before = failed.load(std::memory_order_relaxed);
      while (lo < before && !failed.compare_exchange_weak(before, lo, std::memory_order_relaxed)) {
      }
      return carry_exception();
    }
  }
  const std::size_t middle = lo + (hi - lo) / 2;
  auto [left, right] = how.fork([&, lo, middle] { return detail::make_objects(how, first, lo, middle, make, failed); },
                                [&, middle, hi] { return detail::make_objects(how, first, middle, hi, make, failed); });
  if (!left && !right) return nullptr;
  if (!left) std::destroy(detail::at(first, lo), detail::at(first, middle));
  if (!right) std::destroy(detail::at(first, middle), detail::at(first, hi));
  return left ? left : right;
}

// Returns the end of the objects.
template <class I, class Make, class... O>
I make_all(const I& first, std::size_t n, const Make& make, const O&... o) {
  const options_of options(o...);
  constexpr std::size_t plain = plain_elements<std::iter_value_t<I>>();
  const forking how(options, plain > 1 ? plain : std::clamp<std::size_t>(n / 256, 16, 1024));
  if (n > 0)
    how.enter(n, [&] {
      std::atomic<std::size_t> failed = n;
      if (const std::exception_ptr thrown = detail::make_objects(how, first, 0, n, make, failed))
        std::rethrow_exception(thrown);
    });
  return detail::at(first, n);
}

// How an object is made from nothing.
struct by_default {
  template <class T>
  static constexpr bool possible = std::default_initializable<T>;
  template <class T>
  static void make(void* where) {
    ::new (where) T;
  }
};
struct by_value_of_nothing {
  template <class T>
  static constexpr bool possible = std::default_initializable<T>;
  template <class T>
  static void make(void* where) {
    ::new (where) T();
  }
};

template <class How, class I, class... O>
I make_from_nothing(const I& first, std::size_t n, const O&... o) {
  using T = std::iter_value_t<I>;
  constexpr bool possible = How::template possible<T>;
  static_assert(possible, "heist: these elements have no default constructor");
  if constexpr (possible)
    return detail::make_all(first, n, [](std::size_t, void* where) { How::template make<T>(where); }, o...);
  else
    return first;
}

template <class N>
constexpr std::size_t count_of(N n) noexcept {
  return n > 0 ? static_cast<std::size_t>(n) : 0;
}

// (range) for iterators and ranges; the iterator form returns nothing.
template <class How>
struct construct_call {
  template <class I, sentinel<I> S, option... O>
  void operator()(I first, S last, const O&... o) const {
    if constexpr (can_make<I, S>()) detail::make_from_nothing<How>(first, detail::length(first, last), o...);
  }
  template <range R, option... O>
  std::ranges::borrowed_iterator_t<R> operator()(R&& r, const O&... o) const {
    (*this)(std::ranges::begin(r), std::ranges::end(r), o...);
    return detail::end_of(std::forward<R>(r));
  }
};
template <class How>
struct construct_n_call {
  template <std::input_or_output_iterator I, option... O>
  I operator()(I first, std::iter_difference_t<I> n, const O&... o) const {
    if constexpr (can_make<I, I>())
      return detail::make_from_nothing<How>(first, detail::count_of(n), o...);
    else
      return first;
  }
};

// How an object is made from another one.
struct by_copying {
  template <class I>
  static decltype(auto) from(const I& i) {
    return *i;
  }
};
struct by_moving {
  template <class I>
  static decltype(auto) from(const I& i) {
    return std::ranges::iter_move(i);
  }
};

template <class Way, class I, class Out, class... O>
Out make_from(const I& first, std::size_t n, const Out& out, const O&... o) {
  using T = std::iter_value_t<Out>;
  constexpr bool possible = std::constructible_from<T, decltype(Way::from(std::declval<const I&>()))>;
  static_assert(possible, "heist: objects of the output cannot be made from these elements");
  if constexpr (possible)
    return detail::make_all(
        out, n, [&first](std::size_t k, void* where) { ::new (where) T(Way::from(detail::at(first, k))); }, o...);
  else
    return out;
}

template <class Way>
struct make_from_call {
  template <class I, sentinel<I> S, std::input_or_output_iterator Out, option... O>
  Out operator()(I first, S last, Out out, const O&... o) const {
    if constexpr (can_read<I, S>()) {
      if constexpr (can_make<Out, Out>()) return detail::make_from<Way>(first, detail::length(first, last), out, o...);
    }
    return out;
  }
  // Up to the end of the shorter one.
  template <range R1, range R2, option... O>
  std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R1>, std::ranges::borrowed_iterator_t<R2>> operator()(
      R1&& from, R2&& to, const O&... o) const {
    using I = std::ranges::iterator_t<R1>;
    using Out = std::ranges::iterator_t<R2>;
    const I first = std::ranges::begin(from);
    const Out out = std::ranges::begin(to);
    std::size_t n = 0;
    if constexpr (can_read<I, std::ranges::sentinel_t<R1>>()) {
      if constexpr (can_make<Out, std::ranges::sentinel_t<R2>>()) {
        n = std::min(detail::length(first, std::ranges::end(from)), detail::length(out, std::ranges::end(to)));
        detail::make_from<Way>(first, n, out, o...);
        return {detail::in_range(std::forward<R1>(from), detail::at(first, n)),
                detail::in_range(std::forward<R2>(to), detail::at(out, n))};
      }
    }
    return {detail::in_range(std::forward<R1>(from), first), detail::in_range(std::forward<R2>(to), out)};
  }
};

template <class I, class T, class... O>
I make_copies(const I& first, std::size_t n, const T& value, const O&... o) {
  using V = std::iter_value_t<I>;
  constexpr bool possible = std::constructible_from<V, const T&>;
  static_assert(possible, "heist: the elements cannot be made from this value");
  if constexpr (possible)
    return detail::make_all(first, n, [&value](std::size_t, void* where) { ::new (where) V(value); }, o...);
  else
    return first;
}

}  // namespace detail

// uninitialized_default_construct(r) leaves numbers as they are; uninitialized_value_construct(r) sets
// them to zero. The forms with _n take (first, n) and return the end.
inline constexpr detail::construct_call<detail::by_default> uninitialized_default_construct{};
inline constexpr detail::construct_n_call<detail::by_default> uninitialized_default_construct_n{};
inline constexpr detail::construct_call<detail::by_value_of_nothing> uninitialized_value_construct{};
inline constexpr detail::construct_n_call<detail::by_value_of_nothing> uninitialized_value_construct_n{};

// uninitialized_copy and uninitialized_move(first, last, out), and (r1, r2) for ranges.
inline constexpr detail::make_from_call<detail::by_copying> uninitialized_copy{};
inline constexpr detail::make_from_call<detail::by_moving> uninitialized_move{};

// The same for n elements. As in the standard, uninitialized_move_n returns both ends.
template <std::input_or_output_iterator I, std::input_or_output_iterator Out, detail::option... O>
Out uninitialized_copy_n(I first, std::iter_difference_t<I> n, Out out, const O&... o) {
  if constexpr (detail::can_reach<I>())
    return heist::uninitialized_copy(first, n > 0 ? first + n : first, out, o...);
  else
    return out;
}
template <std::input_or_output_iterator I, std::input_or_output_iterator Out, detail::option... O>
std::pair<I, Out> uninitialized_move_n(I first, std::iter_difference_t<I> n, Out out, const O&... o) {
  if constexpr (detail::can_reach<I>()) {
    const I last = n > 0 ? first + n : first;
    Out end = heist::uninitialized_move(first, last, out, o...);
    return {last, std::move(end)};
  } else {
    return {first, out};
  }
}

// Makes copies of value.
template <class I, detail::sentinel<I> S, class T, detail::option... O>
void uninitialized_fill(I first, S last, const T& value, const O&... o) {
  if constexpr (detail::can_make<I, S>()) detail::make_copies(first, detail::length(first, last), value, o...);
}
template <detail::range R, detail::value_beside<R> T, detail::option... O>
std::ranges::borrowed_iterator_t<R> uninitialized_fill(R&& r, const T& value, const O&... o) {
  heist::uninitialized_fill(std::ranges::begin(r), std::ranges::end(r), value, o...);
  return detail::end_of(std::forward<R>(r));
}
template <std::input_or_output_iterator I, class T, detail::option... O>
I uninitialized_fill_n(I first, std::iter_difference_t<I> n, const T& value, const O&... o) {
  if constexpr (detail::can_make<I, I>())
    return detail::make_copies(first, detail::count_of(n), value, o...);
  else
    return first;
}

// Destroys the objects. Takes no stop token, because none may be left; a grain.
template <class I, detail::sentinel<I> S>
void destroy(I first, S last, grain size = {1024}) noexcept {
  if constexpr (detail::can_make<I, S>()) {
    if constexpr (!std::is_trivially_destructible_v<std::iter_value_t<I>>) {
      const std::size_t n = detail::length(first, last);
      const detail::options_of options(size);
      const detail::forking how(options, 1024);
      how.enter(n, [&]() noexcept {
        detail::in_pieces(how, n, how.grain(), [&](std::size_t a, std::size_t b) noexcept {
          std::destroy(detail::at(first, a), detail::at(first, b));
        });
      });
    }
  }
}
template <detail::range R>
std::ranges::borrowed_iterator_t<R> destroy(R&& r, grain size = {1024}) noexcept {
  heist::destroy(std::ranges::begin(r), std::ranges::end(r), size);
  return detail::end_of(std::forward<R>(r));
}
template <std::input_or_output_iterator I>
I destroy_n(I first, std::iter_difference_t<I> n, grain size = {1024}) noexcept {
  if constexpr (detail::can_reach<I>()) {
    const I last = n > 0 ? first + n : first;
    heist::destroy(first, last, size);
    return last;
  } else {
    return first;
  }
}

}  // namespace heist

HEIST_END
