#pragma once
// How a chain ends: folds, searches and loops over what flows out of it.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/boxed.hpp>
#include <heist/algorithm/fold.hpp>
#include <heist/algorithm/search.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/algorithm/tree.hpp>
#include <heist/base/export.hpp>
#include <heist/lazy/steps.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

HEIST_BEGIN

namespace heist::detail {

// The fold of what flows out of the elements, by the fixed tree over the elements themselves: so it does not depend on the
// schedule, although what flows out of a leaf is not known in advance. Nothing if nothing does.
template <class T, class Cursor, class Steps, class Op, option... O>
std::optional<T> fold_flow(const Cursor& cursor, const Steps& steps, Op& combine, const options_of<O...>& o) {
  if (cursor.size() == 0) return std::nullopt;
  auto leaf = [&](std::size_t a, std::size_t b) -> std::optional<T> {
    std::optional<T> value;
    auto begin = [&](auto&& x) {
      if (value)
        *value = static_cast<T>(detail::call_back(combine, std::move(*value), std::forward<decltype(x)>(x)));
      else
        value.emplace(static_cast<T>(std::forward<decltype(x)>(x)));
    };
    for (; a != b && !value; ++a) detail::flow_through(cursor, steps, a, a + 1, begin);
    if (a == b) return value;
    // Apart from the first, so that the loop has no question but the filter's.
    const local_function op(combine);
    T sum = std::move(*value);
    auto go_on = [&sum, &op](auto&& x) { sum = static_cast<T>(op(std::move(sum), std::forward<decltype(x)>(x))); };
    while (a != b) {
      const std::size_t end = a + std::min(b - a, values_between_looks);
      detail::flow_through(cursor, steps, a, end, go_on);
      if (end != b) o.check();
      a = end;
    }
    return std::optional<T>(std::move(sum));
  };
  auto join_leaves = [&](std::optional<T>&& a, std::optional<T>&& b) -> std::optional<T> {
    if (!b) return std::move(a);
    if (!a) return std::move(b);
    return std::optional<T>(static_cast<T>(detail::call_back(combine, std::move(*a), std::move(*b))));
  };
  const leaves by{cursor.size(), o.grain_or(usual_leaf(cursor.size()))};
  return detail::fold_leaves<std::optional<T>>(by, leaf, join_leaves, o);
}

// The element with the smallest key, the first of several; `better(a, b)` says whether key a is smaller.
template <class Value, class Key, class KeyOf, class Better, class Cursor, class Steps, class Options>
class best_body {
 public:
  best_body(const KeyOf& key_of, const Better& better, const Cursor& cursor, const Steps& steps, const Options& o)
      : key_of_(key_of), better_(better), cursor_(cursor), steps_(steps), options_(o) {}

  void operator()(std::size_t a, std::size_t b) {
    options_.check();
    const std::size_t n = b - a;
    if constexpr (std::is_trivially_copyable_v<Key> && sizeof(Key) <= 2 * sizeof(void*)) {
      for (; a != b && !value; ++a) detail::flow_through(cursor_, steps_, a, a + 1, *this);
      if (a != b) go_on(a, b);
    } else {
      detail::flow_through(cursor_, steps_, a, b, *this);
    }
    options_.did(n);
  }
  template <class X>
  HEIST_INLINE void operator()(X&& x) {
    Key k = static_cast<Key>(detail::call_stage(key_of_, x));
    if (value && !static_cast<bool>(detail::call_back(better_, std::as_const(k), std::as_const(*key_)))) return;
    value.emplace(std::forward<X>(x));
    key_.emplace(std::move(k));
  }
  best_body fork() const { return {key_of_, better_, cursor_, steps_, options_}; }
  void merge(best_body&& later) {
    if (!later.value) return;
    if (value && !static_cast<bool>(detail::call_back(better_, std::as_const(*later.key_), std::as_const(*key_)))) return;
    value.emplace(std::move(*later.value));
    key_.emplace(std::move(*later.key_));
  }

  std::optional<Value> value;

 private:
  // There is a best one already: its key stays in a register, and the loop has one question.
  void go_on(std::size_t a, std::size_t b) {
    Key best = *key_;
    auto beat = [this, &best](auto&& x) {
      const Key k = static_cast<Key>(detail::call_stage(key_of_, x));
      if (!static_cast<bool>(detail::call_back(better_, k, std::as_const(best)))) return;
      value.emplace(std::forward<decltype(x)>(x));
      best = k;
    };
    detail::flow_through(cursor_, steps_, a, b, beat);
    key_.emplace(best);
  }

  const KeyOf& key_of_;
  const Better& better_;
  const Cursor& cursor_;
  const Steps& steps_;
  const Options& options_;
  std::optional<Key> key_;
};

template <class Cursor, class Steps, class Options>
class flow_count {
 public:
  flow_count(const Cursor& cursor, const Steps& steps, const Options& o) : cursor_(cursor), steps_(steps), options_(o) {}

  void operator()(std::size_t a, std::size_t b) {
    options_.check();
    std::size_t here = 0;
    auto one_more = [&here](auto&&) { ++here; };
    detail::flow_through(cursor_, steps_, a, b, one_more);
    n += here;
    options_.did(b - a);
  }
  flow_count fork() const { return {cursor_, steps_, options_}; }
  void merge(flow_count&& later) noexcept { n += later.n; }

  std::size_t n = 0;

 private:
  const Cursor& cursor_;
  const Steps& steps_;
  const Options& options_;
};

enum class wanted : unsigned char { first, any };

// Looks for an element that `pred` accepts. Like search_body, but the match is what flows out of an element, so it is kept.
template <class Value, class Pred, class Cursor, class Steps, class Options>
class seek_body {
 public:
  static constexpr std::size_t nowhere = ~std::size_t{0};

  seek_body(wanted which, const Pred& pred, const Cursor& cursor, const Steps& steps, const Options& o,
            std::atomic<std::size_t>& front)
      : which_(which), pred_(pred), cursor_(cursor), steps_(steps), options_(o), front_(front) {}

  void operator()(std::size_t a, std::size_t b) {
    options_.check();
    if (ended() || a > front_.load(std::memory_order_relaxed)) return;
    std::size_t k = a;
    try {
      const stage_function<Pred> pred(pred_);
      match here{found_, pred};
      for (; k != b && !here.done(); ++k) detail::flow_through(cursor_, steps_, k, k + 1, here);
      if (!here.done()) return;
      --k;
    } catch (...) {
      failure_ = carry_exception();
    }
    place_ = k;
    if (which_ == wanted::any) k = 0;
    std::size_t seen = front_.load(std::memory_order_relaxed);
    while (k < seen && !front_.compare_exchange_weak(seen, k, std::memory_order_relaxed)) {
    }
  }
  seek_body fork() const { return {which_, pred_, cursor_, steps_, options_, front_}; }
  void merge(seek_body&& later) {
    if (ended()) return;
    place_ = later.place_;
    failure_ = std::move(later.failure_);
    if (later.found_) found_.emplace(std::move(*later.found_));
  }

  bool ended() const noexcept { return place_ != nowhere; }
  std::optional<Value> take() {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
    return std::move(found_);
  }

 private:
  struct match {
    std::optional<Value>& found;
    const stage_function<Pred>& pred;

    template <class X>
    HEIST_INLINE void operator()(X&& x) {
      if (found || !static_cast<bool>(pred(x))) return;
      if constexpr (std::is_same_v<Value, std::monostate>)
        found.emplace();
      else
        found.emplace(std::forward<X>(x));
    }
    bool done() const noexcept { return found.has_value(); }
  };

  const wanted which_;
  const Pred& pred_;
  const Cursor& cursor_;
  const Steps& steps_;
  const Options& options_;
  std::atomic<std::size_t>& front_;
  std::size_t place_ = nowhere;
  std::optional<Value> found_;
  std::exception_ptr failure_;
};

// Value std::monostate: only whether there is one. The first is looked for in windows, as by first_place().
template <class Value, class Pred, class Cursor, class Steps, option... O>
std::optional<Value> seek(wanted which, const Pred& pred, const Cursor& cursor, const Steps& steps, const options_of<O...>& o) {
  static_assert(no_limit_here<options_of<O...>>());
  const std::size_t n = cursor.size();
  std::atomic<std::size_t> front{n};
  seek_body<Value, Pred, Cursor, Steps, options_of<O...>> body(which, pred, cursor, steps, o, front);
  if (n > 0) body(0, 1);
  if (body.ended() || n <= 1) return body.take();
  in_a_pool([&] {
    pace p = pace::of(n);
    if (which == wanted::any) {
      detail::work_through(1, n, p, body);
      return;
    }
    for (std::size_t lo = 1; lo < n && !body.ended();) {
      const std::size_t hi = lo + std::min(lo, n - lo);
      if (p.worth_a_fork(hi - lo)) {
        detail::work_through(lo, hi, p, body);
        lo = hi;
      } else {
        lo = detail::look_on(lo, n, p, body);
      }
    }
  });
  return body.take();
}

}  // namespace heist::detail

HEIST_END
