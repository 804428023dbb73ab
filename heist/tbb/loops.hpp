#pragma once
// parallel_for, parallel_for_each, parallel_reduce, parallel_scan, parallel_sort and parallel_invoke.

#include <heist/algorithm/split.hpp>
#include <heist/algorithm/tree.hpp>
#include <heist/base/export.hpp>
#include <heist/for_each.hpp>
#include <heist/join.hpp>
#include <heist/par.hpp>
#include <heist/sched/hunger.hpp>
#include <heist/scope.hpp>
#include <heist/sort.hpp>
#include <heist/tbb/context.hpp>
#include <heist/tbb/ranges.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// The range and its halves, as far as `depth` allows; a part that was stolen may be split further.
template <class Range, class Body>
void split_for(Range& r, const Body& body, unsigned depth) {
  if (depth == 0 || !r.is_divisible()) return body(r);
  Range right(r, tbb::split());
  const fork_place fork;
  detail::join_out_of_line(
      [&, depth] { detail::split_for(r, body, depth == any_depth ? depth : depth - 1); },
      [&, depth, fork] {
        const unsigned left = depth == any_depth ? depth : fork.stolen() && !splits_by_count() ? depth + 1 : depth - 1;
        detail::split_for(right, body, left);
      });
}

template <class Range, class Body, class Partitioner>
void loop_over(Range r, const Body& body, const Partitioner&) {
  if (r.empty()) return;
  if constexpr (is_blocked_range<Range> && !std::is_same_v<Partitioner, tbb::simple_partitioner>) {
    if (r.grainsize() == 1) {  // heist's own split, which needs no grain
      auto some = [&](std::size_t a, std::size_t b) {
        const Range piece = r.part(a, b);
        body(piece);
      };
      return detail::for_pieces(r.size(), some, options_of());
    }
  }
  detail::split_for(r, body, depth_for<Partitioner>());
}

// A reduction splits a range in the same way whatever the number of workers, so that its sum has the same bits.
template <class Range>
unsigned depth_of_fold(const Range& r) {
  if constexpr (is_blocked_range<Range>) {
    const std::size_t leaf = std::max(r.grainsize(), usual_leaf(r.size()));
    return static_cast<unsigned>(std::bit_width((r.size() - 1) / leaf));
  } else {
    return 8;
  }
}

template <class Range, class T, class Func, class Reduction>
T split_fold(Range& r, const T& identity, const Func& func, const Reduction& reduction, unsigned depth) {
  if (depth == 0 || !r.is_divisible()) return func(std::as_const(r), T(identity));
  Range right(r, tbb::split());
  const unsigned next = depth == any_depth ? depth : depth - 1;
  auto [a, b] = detail::join_out_of_line([&, next] { return detail::split_fold(r, identity, func, reduction, next); },
                                         [&, next] { return detail::split_fold(right, identity, func, reduction, next); });
  return reduction(std::move(a), std::move(b));
}

// A body that reduces is split when its half is stolen; if deterministic, at every fork.
enum class body_split : unsigned char { when_stolen, always };

template <body_split when, class Range, class Body>
void split_fold_body(Range& r, Body& body, unsigned depth) {
  if (depth == 0 || !r.is_divisible()) return body(std::as_const(r));
  Range right(r, tbb::split());
  const unsigned next = depth == any_depth ? depth : depth - 1;
  const fork_place fork;
  std::optional<Body> other;
  if constexpr (when == body_split::always) other.emplace(body, tbb::split());
  detail::join_out_of_line([&, next] { detail::split_fold_body<when>(r, body, next); },
                           [&, next, fork] {
                             if (when == body_split::when_stolen && fork.stolen()) other.emplace(body, tbb::split());
                             detail::split_fold_body<when>(right, other ? *other : body, next);
                           });
  if (other) body.join(*other);
}

// The pieces of a range, in order.
template <class Range>
void cut_range(Range r, unsigned depth, std::vector<Range>& to) {
  if (depth == 0 || !r.is_divisible()) return to.push_back(std::move(r));
  Range right(r, tbb::split());
  detail::cut_range(std::move(r), depth - 1, to);
  detail::cut_range(std::move(right), depth - 1, to);
}

template <class Body>
concept scan_body = requires(Body& b, Body& other) {
  b.reverse_join(other);
  b.assign(other);
};

}  // namespace heist::detail

namespace heist::tbb {

using heist::pool;

// Loops ----------------------------------------------------------------------------------------------------------------

template <class Range, class Body, detail::partitioner Partitioner = auto_partitioner>
  requires(!std::is_integral_v<Range>)
void parallel_for(const Range& range, const Body& body, const Partitioner& p = {}) {
  detail::in_arena([&] { detail::loop_over(range, body, p); });
}
template <class Range, class Body>
  requires(!std::is_integral_v<Range>)
void parallel_for(const Range& range, const Body& body, task_group_context& context) {
  detail::in_context(context, [&] { detail::loop_over(range, body, auto_partitioner()); });
}
template <class Range, class Body, detail::partitioner Partitioner>
  requires(!std::is_integral_v<Range>)
void parallel_for(const Range& range, const Body& body, const Partitioner& p, task_group_context& context) {
  detail::in_context(context, [&] { detail::loop_over(range, body, p); });
}

// f(i) for first, first + step, … below last.
template <std::integral Index, std::integral Last, std::integral Step, class F, class... Rest>
  requires(std::is_invocable_v<const F&, Index>)
void parallel_for(Index first, Last last, Step step, const F& f, Rest&&... rest) {
  if (!(step > 0)) throw std::invalid_argument("heist::tbb::parallel_for: the step must be positive");
  if (!(first < static_cast<Index>(last))) return;
  const auto by = static_cast<std::size_t>(step);
  const std::size_t n = (static_cast<std::size_t>(static_cast<Index>(last) - first) - 1) / by + 1;
  auto body = [&](const blocked_range<std::size_t>& r) {
    for (std::size_t k = r.begin(); k != r.end(); ++k) f(static_cast<Index>(first + static_cast<Index>(k * by)));
  };
  tbb::parallel_for(blocked_range<std::size_t>(0, n), body, std::forward<Rest>(rest)...);
}
template <std::integral Index, std::integral Last, class F, class... Rest>
  requires(std::is_invocable_v<const F&, Index>)
void parallel_for(Index first, Last last, const F& f, Rest&&... rest) {
  tbb::parallel_for(first, last, Index{1}, f, std::forward<Rest>(rest)...);
}

// What a body of parallel_for_each adds items with.
template <class Item>
class HEIST_TYPE feeder {
 public:
  HEIST_OWN explicit feeder(std::function<void(Item)> add) : add_(std::move(add)) {}
  feeder(const feeder&) = delete;
  feeder& operator=(const feeder&) = delete;

  HEIST_OWN void add(const Item& x) { add_(x); }
  HEIST_OWN void add(Item&& x) { add_(std::move(x)); }

 private:
  std::function<void(Item)> add_;
};

template <std::input_iterator I, std::sentinel_for<I> S, class Body>
void parallel_for_each(I first, S last, const Body& body) {
  using item = std::iter_value_t<I>;
  if constexpr (std::is_invocable_v<const Body&, std::iter_reference_t<I>, feeder<item>&>) {
    detail::in_arena([&] {
      scope all;
      std::function<void(item)> add;
      feeder<item> feeds([&add](item x) { add(std::move(x)); });
      add = [&](item x) { all.spawn([&, x = std::move(x)]() mutable { body(x, feeds); }); };
      par(std::move(first), std::move(last)).for_each([&](std::iter_reference_t<I> x) { body(x, feeds); });
      all.sync();
    });
  } else {
    detail::in_arena([&] {
      par(std::move(first), std::move(last)).for_each([&](auto&& x) { body(std::forward<decltype(x)>(x)); });
    });
  }
}
template <std::ranges::input_range R, class Body>
void parallel_for_each(R&& range, const Body& body) {
  tbb::parallel_for_each(std::ranges::begin(range), std::ranges::end(range), body);
}
template <std::input_iterator I, std::sentinel_for<I> S, class Body>
void parallel_for_each(I first, S last, const Body& body, task_group_context& context) {
  detail::in_context(context, [&] { tbb::parallel_for_each(first, last, body); });
}
template <std::ranges::input_range R, class Body>
void parallel_for_each(R&& range, const Body& body, task_group_context& context) {
  detail::in_context(context, [&] { tbb::parallel_for_each(range, body); });
}

// Reductions -----------------------------------------------------------------------------------------------------------

// func(range, value) adds a range to a value; reduction(a, b) combines two. The result has the same bits on every number of
// workers, which oneTBB promises for parallel_deterministic_reduce only. After a partitioner, or instead of one, all of these
// take a task_group_context. If it is cancelled the result means nothing, as in oneTBB.
template <class Range, class T, class Func, class Reduction, class... Rest>
  requires(std::is_invocable_v<const Func&, const Range&, T>)
[[nodiscard]] T parallel_reduce(const Range& range, const T& identity, const Func& func, const Reduction& reduction, Rest&&... rest) {
  if (range.empty()) return identity;
  constexpr bool simple = (std::is_same_v<std::remove_cvref_t<Rest>, simple_partitioner> || ...);
  std::optional<T> result;
  const auto fold = [&] {
    Range all(range);
    result.emplace(detail::split_fold(all, identity, func, reduction, simple ? detail::any_depth : detail::depth_of_fold(range)));
  };
  detail::in_any_context(fold, rest...);
  return result ? *std::move(result) : identity;
}
// A body with operator()(range), join(body) and a splitting constructor.
template <class Range, class Body, class... Rest>
void parallel_reduce(const Range& range, Body& body, Rest&&... rest) {
  if (range.empty()) return;
  constexpr bool simple = (std::is_same_v<std::remove_cvref_t<Rest>, simple_partitioner> || ...);
  const auto fold = [&] {
    Range all(range);
    detail::split_fold_body<detail::body_split::when_stolen>(all, body, simple ? detail::any_depth : detail::depth_of_fold(range));
  };
  detail::in_any_context(fold, rest...);
}

template <class Range, class T, class Func, class Reduction, class... Rest>
  requires(std::is_invocable_v<const Func&, const Range&, T>)
[[nodiscard]] T parallel_deterministic_reduce(const Range& range, const T& identity, const Func& func,
                                              const Reduction& reduction, Rest&&... rest) {
  return tbb::parallel_reduce(range, identity, func, reduction, simple_partitioner(), rest...);
}
template <class Range, class Body, class... Rest>
void parallel_deterministic_reduce(const Range& range, Body& body, Rest&&... rest) {
  if (range.empty()) return;
  const auto fold = [&] {
    Range all(range);
    detail::split_fold_body<detail::body_split::always>(all, body, detail::any_depth);
  };
  detail::in_any_context(fold, rest...);
}

// Scans ----------------------------------------------------------------------------------------------------------------

struct HEIST_TYPE pre_scan_tag {
  HEIST_OWN static bool is_final_scan() noexcept { return false; }
  HEIST_OWN operator bool() const noexcept { return false; }  // NOLINT(google-explicit-constructor): as in oneTBB
};
struct HEIST_TYPE final_scan_tag {
  HEIST_OWN static bool is_final_scan() noexcept { return true; }
  HEIST_OWN operator bool() const noexcept { return true; }  // NOLINT(google-explicit-constructor): as in oneTBB
};

// scan(range, sum, is_final) adds a range to a sum, and writes results if it is final. One worker makes one pass; else each
// piece is scanned twice.
template <class Range, class T, class Scan, class Combine, class... Rest>
  requires(std::is_invocable_v<const Scan&, const Range&, const T&, bool>)
T parallel_scan(const Range& range, const T& identity, const Scan& scan, const Combine& combine, Rest&&...) {
  if (range.empty()) return identity;
  return detail::in_arena([&]() -> T {
    if (detail::workers_here() == 1 || detail::splits_by_count()) return scan(range, T(identity), true);
    std::vector<Range> pieces;
    detail::cut_range(Range(range), detail::depth_for<auto_partitioner>(), pieces);
    std::vector<T> sums(pieces.size(), identity);  // of all before each piece
    heist::for_each_index(std::size_t{0}, pieces.size() - 1, [&](std::size_t k) { sums[k + 1] = scan(pieces[k], T(identity), false); });
    for (std::size_t k = 1; k < pieces.size(); ++k) sums[k] = combine(sums[k - 1], sums[k]);
    heist::for_each_index(std::size_t{0}, pieces.size(), [&](std::size_t k) { sums[k] = scan(pieces[k], T(sums[k]), true); });
    return std::move(sums.back());
  });
}
// A body with operator()(range, tag), reverse_join(left), assign(body) and a splitting constructor.
template <class Range, detail::scan_body Body, class... Rest>
void parallel_scan(const Range& range, Body& body, Rest&&...) {
  if (range.empty()) return;
  detail::in_arena([&] {
    if (detail::workers_here() == 1 || detail::splits_by_count()) return body(range, final_scan_tag());
    std::vector<Range> pieces;
    detail::cut_range(Range(range), detail::depth_for<auto_partitioner>(), pieces);
    const std::size_t n = pieces.size();
    std::vector<std::unique_ptr<Body>> before(n), last(n);  // what comes before each piece; what scans it for good
    for (std::size_t k = 0; k < n; ++k) {
      before[k] = std::make_unique<Body>(body, split());
      last[k] = std::make_unique<Body>(body, split());
    }
    heist::for_each_index(std::size_t{1}, n, [&](std::size_t k) { (*before[k])(pieces[k - 1], pre_scan_tag()); });
    if (n > 1) before[1]->reverse_join(body);  // what the caller's body begins with
    for (std::size_t k = 2; k < n; ++k) before[k]->reverse_join(*before[k - 1]);
    heist::for_each_index(std::size_t{0}, n, [&](std::size_t k) {
      last[k]->assign(k == 0 ? body : *before[k]);
      (*last[k])(pieces[k], final_scan_tag());
    });
    body.assign(*last.back());
  });
}

// Sorting, and functions at once ---------------------------------------------------------------------------------------

template <std::random_access_iterator I, class Comp = std::less<>>
void parallel_sort(I first, I last, const Comp& comp = {}) {
  detail::in_arena([&] { heist::sort(first, last, comp); });
}
template <std::ranges::random_access_range R, class Comp = std::less<>>
void parallel_sort(R&& range, const Comp& comp = {}) {
  detail::in_arena([&] { heist::sort(range, comp); });
}

template <class F, class G, class... More>
void parallel_invoke(F&& f, G&& g, More&&... more) {
  if constexpr ((std::is_same_v<std::remove_cvref_t<More>, task_group_context> || ...)) {
    auto all = std::forward_as_tuple(f, g, more...);
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      detail::in_context(std::get<sizeof...(k)>(all), [&] { heist::join([&] { std::get<k>(all)(); }...); });
    }(std::make_index_sequence<sizeof...(More) + 1>());
  } else {
    detail::in_arena([&] { heist::join([&] { f(); }, [&] { g(); }, [&] { more(); }...); });
  }
}

}  // namespace heist::tbb

HEIST_END
