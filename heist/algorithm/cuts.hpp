#pragma once
// Cuts two sorted ranges into pairs of parts that can be combined independently of each other: unions,
// intersections and differences.
//
// Equal elements may be on both sides of a cut. If r of them are before it in one range, then r, or
// all if there are fewer, are before it in the other. So whichever operation combines the parts, the
// i-th of equal elements in one range meets the i-th in the other, as without the cut.

#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// Where both ranges are cut.
struct HEIST_VERSIONED cut {
  std::size_t a, b;
};

// Cuts before every piece-th element of either range: no part is longer than a piece, in both ranges.
// Whatever the comparisons answer, the cuts ascend. Work lg n for each cut, span lg² n and one step a
// cut.
template <class A, class B, class LessAB, class LessBA, class LessAA, class LessBB>
class cutter {
 public:
  cutter(A a, std::size_t n, B b, std::size_t m, const LessAB& ab, const LessBA& ba, const LessAA& aa, const LessBB& bb)
      : a_(a), b_(b), n_(n), m_(m), ab_(ab), ba_(ba), aa_(aa), bb_(bb) {}

  // The first cut is {0, 0}, the last one {n, m}.
  template <class How>
  std::vector<cut> all(const How& how, std::size_t piece) const {
    std::vector<cut> in_a(n_ / piece), in_b(m_ / piece);
    auto at_a = [&](std::size_t k) {
      how.check();
      const std::size_t i = (k + 1) * piece;
      if (i >= n_) return cut{n_, m_};
      const std::size_t equals = i - below(a_, i, [&](const auto& x) { return aa_(*x, *detail::at(a_, i)); });
      return cut{i, beside(b_, m_, equals, [&](const auto& x) { return ba_(*x, *detail::at(a_, i)); },
                           [&](const auto& x) { return ab_(*detail::at(a_, i), *x); })};
    };
    auto at_b = [&](std::size_t k) {
      how.check();
      const std::size_t j = (k + 1) * piece;
      if (j >= m_) return cut{n_, m_};
      const std::size_t equals = j - below(b_, j, [&](const auto& x) { return bb_(*x, *detail::at(b_, j)); });
      return cut{beside(a_, n_, equals, [&](const auto& x) { return ab_(*x, *detail::at(b_, j)); },
                        [&](const auto& x) { return ba_(*detail::at(b_, j), *x); }),
                 j};
    };
    detail::for_each_block(how, 0, in_a.size(), [&](std::size_t k) { in_a[k] = at_a(k); });
    detail::for_each_block(how, 0, in_b.size(), [&](std::size_t k) { in_b[k] = at_b(k); });
    std::vector<cut> all;
    all.reserve(in_a.size() + in_b.size() + 2);
    all.push_back({0, 0});
    auto sooner = [](const cut& x, const cut& y) { return x.a + x.b < y.a + y.b; };
    std::merge(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(), std::back_inserter(all), sooner);
    all.push_back({n_, m_});
    for (std::size_t k = 1; k < all.size(); ++k)
      all[k] = {std::max(all[k - 1].a, all[k].a), std::max(all[k - 1].b, all[k].b)};
    return all;
  }

 private:
  // How many of the first n elements come before those for which it is no longer true.
  template <class I, class Before>
  static std::size_t below(const I& first, std::size_t n, const Before& before) {
    std::size_t low = 0;
    while (low < n) {
      const std::size_t middle = low + (n - low) / 2;
      if (before(detail::at(first, middle)))
        low = middle + 1;
      else
        n = middle;
    }
    return low;
  }

  // The place in the other range: behind all that is less, and behind as many of its equals.
  template <class I, class Less, class Greater>
  static std::size_t beside(const I& first, std::size_t n, std::size_t equals, const Less& less, const Greater& greater) {
    const std::size_t from = below(first, n, less);
    const I begin = detail::at(first, from);
    const std::size_t most = std::min(equals, n - from);
    return from + below(begin, most, [&](const I& x) { return !greater(x); });
  }

  A a_;
  B b_;
  std::size_t n_, m_;
  const LessAB& ab_;
  const LessBA& ba_;
  const LessAA& aa_;
  const LessBB& bb_;
};

}  // namespace heist::detail

HEIST_END
