#pragma once
// Scans over the fixed tree: one pass, and a second one over what was stolen. See README.md,
// "Scans".

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/enter.hpp>
#include <heist/algorithm/function.hpp>
#include <heist/algorithm/scan_leaf.hpp>
#include <heist/algorithm/tree.hpp>
#include <heist/base/export.hpp>
#include <heist/join.hpp>
#include <heist/sched/hunger.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

template <class T, class Leaf, class Op, class Options>
class tree_scan {
 public:
  // Fewer leaves than `least` are not worth a fork.
  tree_scan(leaves by, std::size_t least, Leaf& leaf, Op& op, const Options& options) noexcept
      : by_(by), least_(least), leaf_(leaf), op_(op), options_(options) {}

  // Writes the results of the leaves [lo, hi), with `before` before them, and returns their total.
  T scan(std::size_t lo, std::size_t hi, const T* before) {
    if (hi - lo == 1) {
      options_.check();
      return leaf_.write_and_total(by_.begin(lo), by_.end(lo), before);
    }
    const std::size_t middle = split_of(lo, hi);
    if (!hungry(lo, hi)) {
      const T left = scan(lo, middle, before);
      const T start = after(before, left);
      return op(left, scan(middle, hi, &start));
    }
    // A thief does not know what comes before: it computes the totals, and the results are written
    // when the left half is done. What was not stolen is done in one pass, as if there had been no
    // fork.
    const fork_place fork;
    expect_a_thief();
    auto [left, stolen] = join_inside([this, lo, middle, before] { return scan(lo, middle, before); },
                               [this, middle, hi, fork]() -> std::optional<totals> {
                                 if (!fork.stolen()) return std::nullopt;
                                 return find_totals(middle, hi);
                               });
    const T start = after(before, left);
    if (!stolen.has_value()) return op(std::as_const(left), scan(middle, hi, &start));
    write(*stolen, middle, hi, start);
    return op(std::as_const(left), std::move(stolen->all));
  }

 private:
  // For the leaves from `first` on: the total of all, and that of each left subtree, indexed by
  // where its right sibling begins.
  struct totals {
    std::size_t first;
    std::vector<std::optional<T>> of_left;
    T all;
  };

  totals find_totals(std::size_t lo, std::size_t hi) {
    std::vector<std::optional<T>> of_left(hi - lo);
    T all = find_total(lo, hi, of_left.data(), lo);
    return {lo, std::move(of_left), std::move(all)};
  }

  T find_total(std::size_t lo, std::size_t hi, std::optional<T>* of_left, std::size_t first) {
    if (hi - lo == 1) {
      options_.check();
      return leaf_.total(by_.begin(lo), by_.end(lo));
    }
    const std::size_t middle = split_of(lo, hi);
    auto near = [=, this] { return find_total(lo, middle, of_left, first); };
    auto far = [=, this] { return find_total(middle, hi, of_left, first); };
    if (hungry(lo, hi)) {
      expect_a_thief();
      auto [left, right] = join_inside(near, far);
      of_left[middle - first].emplace(std::move(left));
      return op(std::as_const(*of_left[middle - first]), std::move(right));
    }
    of_left[middle - first].emplace(near());
    return op(std::as_const(*of_left[middle - first]), far());
  }

  void write(const totals& known, std::size_t lo, std::size_t hi, const T& before) {
    if (hi - lo == 1) {
      options_.check();
      return leaf_.write(by_.begin(lo), by_.end(lo), &before);
    }
    const std::size_t middle = split_of(lo, hi);
    const T start = op(before, *known.of_left[middle - known.first]);
    auto near = [&, lo, middle] { write(known, lo, middle, before); };
    auto far = [&, middle, hi] { write(known, middle, hi, start); };
    if (hungry(lo, hi)) {
      expect_a_thief();
      return join_inside(near, far);
    }
    near();
    far();
  }

  // What is stolen is scanned twice.
  bool hungry(std::size_t lo, std::size_t hi) const noexcept {
    return hi - lo >= least_ && nothing_to_steal() && !splits_by_count();
  }
  T after(const T* before, const T& x) { return before != nullptr ? op(*before, x) : x; }
  template <class A, class B>
  T op(A&& a, B&& b) {
    return static_cast<T>(detail::call_back(op_, std::forward<A>(a), std::forward<B>(b)));
  }

  const leaves by_;
  const std::size_t least_;
  Leaf& leaf_;
  Op& op_;
  const Options& options_;
};

// Scans value(0), …, value(n − 1), with `before` before them; calls put(k, result).
template <scan_kind kind, bool cheap, class T, class Value, class Put, class Op, option... O>
void scan_values(std::size_t n, const T* before, Value& value, Put& put, Op& op, const options_of<O...>& o) {
  if (n == 0) return;
  const leaves by{n, o.grain_or(cheap ? cheap_leaf : usual_leaf(n))};
  const auto look = [&] {
    if constexpr (!cheap) o.check();  // a leaf of cheap values is soon over
  };
  using leaf_type = scan_leaf<kind, T, Value, Put, Op, decltype(look)>;
  leaf_type leaf(value, put, op, look);
  const std::size_t m = by.count();
  if (m == 1) {
    o.check();
    return leaf.write(0, n, before);
  }
  // A steal costs the thief some microseconds, and its victim, too.
  constexpr std::size_t least = cheap && !options_of<O...>::has_grain ? 8 : 2;
  in_a_pool([&] { tree_scan<T, leaf_type, Op, options_of<O...>>(by, least, leaf, op, o).scan(0, m, before); });
}

}  // namespace heist::detail

HEIST_END
