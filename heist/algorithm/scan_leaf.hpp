#pragma once
// What a scan does with the elements of one leaf. The order of operations depends only on their
// number and types.

#include <heist/algorithm/function.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

enum class scan_kind : unsigned char { inclusive, exclusive };

// value(k) returns element k, and put(k, x) writes the result there, perhaps over the element, so
// each is read first; look() is called now and then. Two folds run through a leaf. The running one, which is written, starts from
// what comes before the leaf. The total does not, so it needs nothing from other leaves. The
// processor runs them side by side. Not inlined, like work_on() in split.hpp.
template <scan_kind kind, class T, class Value, class Put, class Op, class Look>
class scan_leaf {
 public:
  scan_leaf(Value& value, Put& put, Op& op, const Look& look) noexcept : value_(value), put_(put), op_(op), look_(look) {}

  // The total of the elements [a, b), at least one. Plain values are combined four at a time, and
  // then with what came before, so that fewer operations wait for each other.
  [[gnu::noinline]] T total(std::size_t a, std::size_t b) {
    T sum = at(a);
    std::size_t k = a + 1;
    if constexpr (plain)
      while (b - k >= 4) {
        const std::size_t end = end_of_fours(k, b);
        for (; k != end; k += 4) sum = op(sum, op(op(at(k), at(k + 1)), op(at(k + 2), at(k + 3))));
        if (k != b) look_();
      }
    for (; k < b; ++k) sum = op(std::move(sum), looked_at(k));
    return sum;
  }

  // Writes the results. `before` is what comes before the leaf; null means nothing.
  [[gnu::noinline]] void write(std::size_t a, std::size_t b, const T* before) {
    T running = begin(a, before, at(a));
    for (std::size_t k = a + 1; k < b; ++k) step(running, k, looked_at(k));
  }

  // Does both.
  [[gnu::noinline]] T write_and_total(std::size_t a, std::size_t b, const T* before) {
    T sum = at(a);
    T running = begin(a, before, sum);
    std::size_t k = a + 1;
    if constexpr (plain) {
      while (b - k >= 4) {
        const std::size_t end = end_of_fours(k, b);
        for (; k != end; k += 4) {
          const T w = at(k), x = at(k + 1), y = at(k + 2), z = at(k + 3);
          step(running, k, w);
          step(running, k + 1, x);
          step(running, k + 2, y);
          step(running, k + 3, z);
          sum = op(sum, op(op(w, x), op(y, z)));
        }
        if (k != b) look_();
      }
    }
    for (; k < b; ++k) {
      const T x = looked_at(k);
      step(running, k, x);
      sum = op(std::move(sum), x);
    }
    return sum;
  }

 private:
  static constexpr bool plain = std::is_trivially_copyable_v<T>;

  static constexpr std::size_t between_looks = 64;  // elements: a multiple of four

  static constexpr std::size_t end_of_fours(std::size_t k, std::size_t b) noexcept {
    return k + std::min((b - k) & ~std::size_t{3}, between_looks);
  }
  T at(std::size_t k) { return static_cast<T>(value_(k)); }
  T looked_at(std::size_t k) {
    if (k % between_looks == 0) look_();
    return at(k);
  }
  template <class A, class B>
  T op(A&& a, B&& b) {
    return static_cast<T>(detail::call_back(op_, std::forward<A>(a), std::forward<B>(b)));
  }

  // The running fold after the element k.
  T begin(std::size_t k, const T* before, const T& x) {
    if constexpr (kind == scan_kind::exclusive) {
      T next = op(*before, x);
      put_(k, *before);
      return next;
    } else {
      T running = before != nullptr ? op(*before, x) : x;
      put_(k, std::as_const(running));
      return running;
    }
  }
  void step(T& running, std::size_t k, const T& x) {
    if constexpr (kind == scan_kind::exclusive) {
      T next = op(std::as_const(running), x);
      put_(k, std::move(running));
      running = std::move(next);
    } else {
      running = op(std::move(running), x);
      put_(k, std::as_const(running));
    }
  }

  Value& value_;
  Put& put_;
  Op& op_;
  const Look& look_;
};

}  // namespace heist::detail

HEIST_END
