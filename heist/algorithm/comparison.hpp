#pragma once
// A user's comparison or predicate with its projection, called in place.

#include <heist/algorithm/function.hpp>
#include <heist/base/export.hpp>

#include <utility>

HEIST_BEGIN

namespace heist::detail {

// Whether a comes before b, for two ranges with their own projections.
template <class Comp, class ProjA, class ProjB = ProjA>
class comparison {
 public:
  comparison(Comp& comp, ProjA& a, ProjB& b) noexcept : comp_(comp), a_(a), b_(b) {}

  template <class A, class B>
  bool operator()(A&& a, B&& b) const {
    return static_cast<bool>(comp_(a_(std::forward<A>(a)), b_(std::forward<B>(b))));
  }

 private:
  [[no_unique_address]] local_function<Comp> comp_;
  [[no_unique_address]] local_function<ProjA> a_;
  [[no_unique_address]] local_function<ProjB> b_;
};

// Whether an element satisfies the predicate.
template <class Pred, class Proj>
class question {
 public:
  question(Pred& pred, Proj& proj) noexcept : pred_(pred), proj_(proj) {}

  template <class A>
  bool operator()(A&& a) const {
    return static_cast<bool>(pred_(proj_(std::forward<A>(a))));
  }

 private:
  [[no_unique_address]] local_function<Pred> pred_;
  [[no_unique_address]] local_function<Proj> proj_;
};

}  // namespace heist::detail

HEIST_END
