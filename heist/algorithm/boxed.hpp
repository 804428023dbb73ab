#pragma once
// Values that are too large for stacks. A fold keeps some for each level of its tree and several in
// a leaf. Above 1 KiB they are on the heap, so that a frame never reaches past the guard below its
// stack.

#include <heist/base/export.hpp>
#include <heist/base/sole.hpp>

#include <functional>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

template <class T>
inline constexpr bool is_large = sizeof(T) > 1024;

template <class T>
class boxed {
 public:
  template <class X>
  requires(!std::is_same_v<std::remove_cvref_t<X>, boxed>) explicit boxed(X&& x)
      : value_(new T(std::forward<X>(x))) {}
  boxed(const boxed& other) : boxed(*other) {}
  boxed(boxed&&) noexcept = default;
  boxed& operator=(boxed&&) noexcept = default;
  boxed& operator=(const boxed& other) {
    *value_ = *other;
    return *this;
  }
  ~boxed() = default;

  T& operator*() noexcept { return *value_; }
  const T& operator*() const noexcept { return *value_; }

 private:
  sole<T> value_;
};

// The content of a box, movable if the box is; anything else unchanged.
template <class T>
const T& unboxed(const boxed<T>& x) noexcept {
  return *x;
}
template <class T>
T&& unboxed(boxed<T>&& x) noexcept {
  return std::move(*x);
}
template <class X>
X&& unboxed(X&& x) noexcept {
  return static_cast<X&&>(x);
}

// An operation on boxes, or on a box and an element. If the left box is an rvalue, it takes the
// result.
template <class T, class Op>
struct boxed_operation {
  Op& op;

  template <class B>
  boxed<T> operator()(boxed<T>&& a, B&& b) const {
    *a = std::invoke(op, std::move(*a), detail::unboxed(std::forward<B>(b)));
    return std::move(a);
  }
  template <class B>
  boxed<T> operator()(const boxed<T>& a, B&& b) const {
    return boxed<T>(std::invoke(op, *a, detail::unboxed(std::forward<B>(b))));
  }
};

}  // namespace heist::detail

HEIST_END
