#pragma once
// A user's comparison or predicate with its projection, called in place.

#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace heist::detail {

// Small functions are copied, so that loops may have them in registers; others stay with the caller.
template <class F>
inline constexpr bool small_function = std::is_trivially_copyable_v<F> && sizeof(F) <= 4 * sizeof(void*);

template <class F, bool copied = small_function<F>>
class held {
 public:
  explicit held(F& f) noexcept : f_(f) {}
  F& get() const noexcept { return f_; }

 private:
  F& f_;
};
template <class F>
class held<F, true> {
 public:
  explicit held(F& f) noexcept : f_(f) {}
  F& get() const noexcept { return f_; }

 private:
  [[no_unique_address]] mutable F f_;
};

// a before b, of two ranges with projections of their own.
template <class Comp, class ProjA, class ProjB = ProjA>
class comparison {
 public:
  comparison(Comp& comp, ProjA& a, ProjB& b) noexcept : comp_(comp), a_(a), b_(b) {}

  template <class A, class B>
  bool operator()(A&& a, B&& b) const {
    return static_cast<bool>(std::invoke(comp_.get(), std::invoke(a_.get(), std::forward<A>(a)),
                                         std::invoke(b_.get(), std::forward<B>(b))));
  }

 private:
  held<Comp> comp_;
  held<ProjA> a_;
  held<ProjB> b_;
};

// Whether an element satisfies.
template <class Pred, class Proj>
class question {
 public:
  question(Pred& pred, Proj& proj) noexcept : pred_(pred), proj_(proj) {}

  template <class A>
  bool operator()(A&& a) const {
    return static_cast<bool>(std::invoke(pred_.get(), std::invoke(proj_.get(), std::forward<A>(a))));
  }

 private:
  held<Pred> pred_;
  held<Proj> proj_;
};

// The pointer, where an iterator is one in disguise: fewer instantiations, and compilers see more.
template <class I>
constexpr auto plain(const I& i) {
  if constexpr (std::contiguous_iterator<I>)
    return std::to_address(i);
  else
    return i;
}

}  // namespace heist::detail
