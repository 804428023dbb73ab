#pragma once
// The fixed tree of folds and scans: see README.md, "The fixed tree".

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/enter.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/pace.hpp>
#include <heist/base/export.hpp>
#include <heist/op.hpp>
#include <heist/sched/hunger.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// How n elements are cut into leaves: it depends only on n and the grain, never on who works on
// them.
struct leaves {
  std::size_t n;
  std::size_t size;

  std::size_t count() const noexcept { return n / size + (n % size != 0); }
  std::size_t begin(std::size_t leaf) const noexcept { return leaf * size; }
  std::size_t end(std::size_t leaf) const noexcept { return std::min(n - leaf * size, size) + leaf * size; }
  std::size_t elements(std::size_t lo, std::size_t hi) const noexcept { return end(hi - 1) - begin(lo); }
};

// For elements of unknown cost: few enough leaves that they cost little if the elements are cheap,
// and enough to share if they are expensive. Larger leaves are multiples of eight, because they are
// folded in eights.
constexpr std::size_t usual_leaf(std::size_t n) noexcept {
  const std::size_t size = std::clamp<std::size_t>(n / 32, 1, 1024);
  return size < 8 ? size : (size + 7) & ~std::size_t{7};
}
// For elements that are known to take about a nanosecond or less.
constexpr std::size_t cheap_leaf = 2048;

// Very fast operations on numbers: the standard's function objects, and heist's. Not op::min and
// op::max of floating-point numbers, which are not commutative: of zero and negative zero they keep
// the left one.
template <class Op, class T>
inline constexpr bool cheap_operation =
    std::is_arithmetic_v<T> &&
    (std::same_as<Op, std::identity> || std::same_as<Op, std::plus<>> || std::same_as<Op, std::plus<T>> ||
     std::same_as<Op, std::multiplies<>> || std::same_as<Op, std::multiplies<T>> || std::same_as<Op, std::less<>> ||
     std::same_as<Op, std::less<T>> || std::same_as<Op, std::ranges::less> || std::same_as<Op, std::greater<>> ||
     std::same_as<Op, std::greater<T>> || std::same_as<Op, std::ranges::greater> ||
     std::same_as<Op, std::equal_to<>> || std::same_as<Op, std::ranges::equal_to> || std::same_as<Op, std::bit_and<>> ||
     std::same_as<Op, std::bit_or<>> || std::same_as<Op, std::bit_xor<>> || std::same_as<Op, op::sum<T>> ||
     (std::is_integral_v<T> && (std::same_as<Op, op::min<T>> || std::same_as<Op, op::max<T>>)));

// Where the tree over the leaves [lo, hi), at least two, is split: all subtrees but the last of
// each level are full.
constexpr std::size_t split_of(std::size_t lo, std::size_t hi) noexcept { return lo + std::bit_floor(hi - lo - 1); }

// The value of the tree over the leaves, from leaf(i) and op(left, right). It forks where there is
// nothing to steal; with or without the fork, the same values are combined.
template <class T, class Leaf, class Op>
class tree_fold {
 public:
  tree_fold(leaves by, Leaf& leaf, Op& op) noexcept : by_(by), leaf_(leaf), op_(op) {}

  [[gnu::noinline]] T operator()(std::size_t lo, std::size_t hi, pace& p) {
    if (hi - lo == 1 || by_.elements(lo, hi) <= p.block()) return stretch(lo, hi, p);
    if (p.worth_a_fork(by_.elements(lo, hi)) && nothing_to_steal()) {
      const std::size_t middle = split_of(lo, hi);
      if (p.contested() || thief_at_hand()) expect_a_thief();
      auto [left, right] =
          detail::join_out_of_line([&, lo, middle] { return (*this)(lo, middle, p); }, give(middle, hi, p));
      return op_(std::move(left), std::move(right));
    }
    return climb(lo, 1, hi, stretch(lo, lo + 1, p), p);
  }

 private:
  // The part for a thief, or for us if none comes.
  auto give(std::size_t lo, std::size_t hi, pace& p) {
    return [this, lo, hi, fork = fork_place(), &p] {
      if (!fork.stolen()) return (*this)(lo, hi, p);
      pace mine = p.for_thief();
      return (*this)(lo, hi, mine);
    };
  }

  // `done` is the value of [lo, lo + count), a subtree at the left edge. What remains are the right
  // siblings on the way up, each as large as everything before it. When another worker is idle, the
  // last one is given away.
  [[gnu::noinline]] T climb(std::size_t lo, std::size_t count, std::size_t hi, T done, pace& p) {
    while (count < hi - lo) {
      const std::size_t middle = split_of(lo, hi);
      if (lo + count < middle && p.worth_a_fork(by_.elements(lo + count, hi)) && nothing_to_steal()) {
        p.contest();
        expect_a_thief();
        auto [left, right] = detail::join_out_of_line(
            [&, this] { return climb(lo, count, middle, std::move(done), p); }, give(middle, hi, p));
        return op_(std::move(left), std::move(right));
      }
      done = op_(std::move(done), (*this)(lo + count, std::min(lo + 2 * count, hi), p));
      count *= 2;
    }
    return done;
  }

  // Folds without checking whether to split. Not inlined, like work_on() in split.hpp.
  [[gnu::noinline]] T stretch(std::size_t lo, std::size_t hi, pace& p) {
    const std::size_t size = by_.elements(lo, hi);
    const bool timed = p.timed(size, by_.n);
    const std::uint64_t start = timed ? ticks() : 0;
    T value = serial(lo, hi);
    timed ? p.took(size, ticks() - start) : p.did(size);
    return value;
  }
  T serial(std::size_t lo, std::size_t hi) {
    if (hi - lo == 1) return leaf_(lo);
    if (hi - lo == 2) {  // half of all calls
      T left = leaf_(lo);
      return op_(std::move(left), leaf_(lo + 1));
    }
    const std::size_t middle = split_of(lo, hi);
    T left = serial(lo, middle);
    return op_(std::move(left), serial(middle, hi));
  }

  const leaves by_;
  Leaf& leaf_;
  Op& op_;
};

// The fold of the elements, at least one, in leaves cut by `by`. leaf(a, b) returns the value of
// the elements [a, b).
template <class T, class Leaf, class Op, option... O>
T fold_leaves(leaves by, Leaf&& leaf, Op& op, const options_of<O...>& o) {
  auto checked = [&](std::size_t i) -> T {
    o.check();
    if constexpr (options_of<O...>::has_progress) {
      T value = leaf(by.begin(i), by.end(i));
      o.did(by.end(i) - by.begin(i));
      return value;
    } else {
      return leaf(by.begin(i), by.end(i));
    }
  };
  static_assert(no_limit_in_fold<options_of<O...>>());
#if defined(HEIST_RACE)
  const race::algorithm whole;
#endif
  const std::size_t m = by.count();
  return detail::until_stopped(o, [&]() -> T {
    if (m == 1) return checked(0);
    return in_a_pool([&]() -> T {
      pace p = pace::of(by.n);
      return tree_fold<T, decltype(checked), Op>(by, checked, op)(0, m, p);
    });
  });
}

}  // namespace heist::detail

HEIST_END
