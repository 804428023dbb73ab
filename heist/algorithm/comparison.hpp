#pragma once
// A user's comparison or predicate with its projection, called in place.

#include <functional>
#include <iterator>
#include <memory>
#include <utility>

namespace heist::detail {

// a before b, of two ranges with projections of their own.
template <class Comp, class ProjA, class ProjB = ProjA>
class comparison {
 public:
  comparison(Comp& comp, ProjA& a, ProjB& b) noexcept : comp_(comp), a_(a), b_(b) {}

  template <class A, class B>
  bool operator()(A&& a, B&& b) const {
    return static_cast<bool>(
        std::invoke(comp_, std::invoke(a_, std::forward<A>(a)), std::invoke(b_, std::forward<B>(b))));
  }

 private:
  Comp& comp_;
  ProjA& a_;
  ProjB& b_;
};

// Whether an element satisfies.
template <class Pred, class Proj>
class question {
 public:
  question(Pred& pred, Proj& proj) noexcept : pred_(pred), proj_(proj) {}

  template <class A>
  bool operator()(A&& a) const {
    return static_cast<bool>(std::invoke(pred_, std::invoke(proj_, std::forward<A>(a))));
  }

 private:
  Pred& pred_;
  Proj& proj_;
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
