#pragma once
// Puts a chain's elements into a container, in order.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>
#include <heist/lazy/cursor.hpp>
#include <heist/lazy/steps.hpp>
#include <heist/op.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

inline constexpr std::size_t all_of_them = ~std::size_t{0};

// Whether add_to can: not to a std::forward_list or a std::array.
template <class C, class X>
inline constexpr bool can_add = (requires(C c, X&& x) { c.emplace_back(std::forward<X>(x)); }) ||
                                (requires(C c, X&& x) { c.push_back(std::forward<X>(x)); }) ||
                                (requires(C c, X&& x) { c.emplace(std::forward<X>(x)); }) ||
                                (requires(C c, X&& x) { c.insert(c.end(), std::forward<X>(x)); });

// Adds an element to a container: at the end, or where it belongs.
struct add_to {
  template <class C, class X>
  HEIST_INLINE void operator()(C& c, X&& x) const {
    if constexpr (requires { c.emplace_back(std::forward<X>(x)); })
      c.emplace_back(std::forward<X>(x));
    else if constexpr (requires { c.push_back(std::forward<X>(x)); })
      c.push_back(std::forward<X>(x));
    else if constexpr (requires { c.emplace(std::forward<X>(x)); })
      c.emplace(std::forward<X>(x));
    else
      c.insert(c.end(), std::forward<X>(x));
  }
};

// The same for maps: values of one key are combined.
template <class Op>
struct add_combined {
  Op op;

  template <class C, class X>
  void operator()(C& c, X&& x) const {
    auto [place, fresh] = c.try_emplace(std::get<0>(std::forward<X>(x)), std::get<1>(std::forward<X>(x)));
    if (!fresh) detail::combine_into(op, place->second, typename C::mapped_type(std::get<1>(std::forward<X>(x))));
  }
};

// Elements need not be assignable, as those of a map are not.
template <class Value>
void append(std::vector<Value>& to, std::vector<Value>& from) {
  if constexpr (std::is_move_assignable_v<Value>)
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  else
    for (auto&& x : from) to.emplace_back(std::move(x));
}

// The strand that works in serial order adds to the container itself. A thief does not know what comes before its elements:
// it keeps them, and they are added when the strand that it stole from gets there. So the container is filled as the serial
// program fills it.
template <class C, class Add, class Value, class Cursor, class Steps, class Options>
class fill_body {
 public:
  fill_body(C* into, const Add& add, const Cursor& cursor, const Steps& steps, const Options& o, std::size_t most)
      : into_(into), add_(add), cursor_(cursor), steps_(steps), options_(o), most_(most) {}

  // Where the next loop begins.
  void start_at(std::size_t first) noexcept { first_ = first; }

  void operator()(std::size_t a, std::size_t b) {
    options_.check();
    if (into_ != nullptr)
      work<to_container>({*into_, add_, most_}, a, b);
    else
      work<to_later>({later_, most_}, a, b);
    options_.did(b - a);
  }
  fill_body fork() const {
    fill_body thiefs(nullptr, add_, cursor_, steps_, options_, most_);
    thiefs.first_ = first_;
    return thiefs;
  }
  void merge(fill_body&& thiefs) {
    if (into_ == nullptr) {
      detail::append(later_, thiefs.later_);
    } else if constexpr (std::is_same_v<C, std::vector<Value>>) {
      detail::append(*into_, thiefs.later_);
    } else {
      for (auto&& x : thiefs.later_) add_(*into_, std::move(x));
    }
    thiefs.later_.clear();
  }

 private:
  struct to_container {
    C& into;
    const Add& add;
    const std::size_t most;

    template <class X>
    HEIST_INLINE void operator()(X&& x) {
      add(into, std::forward<X>(x));
    }
  };
  struct to_later {
    std::vector<Value>& into;
    const std::size_t most;

    template <class X>
    HEIST_INLINE void operator()(X&& x) {
      into.emplace_back(std::forward<X>(x));
    }
  };
  // One that needs only the first so many.
  template <class Sink>
  struct bounded {
    Sink sink;

    template <class X>
    HEIST_INLINE void operator()(X&& x) {
      sink(std::forward<X>(x));
    }
    bool done() const noexcept { return sink.into.size() >= sink.most; }
  };

  template <class Sink>
  [[gnu::noinline]] void work(Sink sink, std::size_t a, std::size_t b) {
    if constexpr (requires { sink.into.size(); }) {
      if (most_ != all_of_them) {
        bounded<Sink> some{sink};
        if (!some.done()) detail::flow_through(cursor_, steps_, first_ + a, first_ + b, some);
        return;
      }
    }
    detail::flow_through(cursor_, steps_, first_ + a, first_ + b, sink);
  }

  C* into_;  // null: a thief's
  const Add& add_;
  const Cursor& cursor_;
  const Steps& steps_;
  const Options& options_;
  const std::size_t most_;
  std::size_t first_ = 0;
  std::vector<Value> later_;
};

// The first `most` elements. If that is not all of them, the source is read in windows, each as long as all before it, so
// that little is read that is not needed.
template <class Value, class C, class Add, class Cursor, class Steps, option... O>
void fill_container(C& into, const Add& add, const Cursor& cursor, const Steps& steps, const options_of<O...>& o,
                    std::size_t most = all_of_them) {
  fill_body<C, Add, Value, Cursor, Steps, options_of<O...>> body(&into, add, cursor, steps, o, most);
  const std::size_t n = cursor.size();
  if (most == all_of_them) return detail::loop(n, body, o);
  if constexpr (requires { into.size(); }) {
    for (std::size_t lo = 0, hi = 0; lo < n && into.size() < most; lo = hi) {
      hi = lo + std::min(std::max(lo, most - into.size()), n - lo);
      body.start_at(lo);
      detail::loop(hi - lo, body, o);
    }
  }
}

// The elements of a chain whose places are not known, as values, so that they have places: for a stage that needs them.
template <class Chain>
struct gathered_source {
  Chain chain;
  std::size_t most;

  using value = typename Chain::element::value;
  using element = detail::element<std::conditional_t<std::is_same_v<value, bool>, bool, value&&>, value>;
  template <class Options>
  gathered_cursor<value> open(const Options& o) const {
    auto values = std::make_shared<std::vector<value>>();
    const auto cursor = chain.source().open(o);
    if (most > 0) detail::fill_container<value>(*values, add_to(), cursor, chain.steps(), o, most);
    while (values->size() > most) values->pop_back();
    return {std::move(values)};
  }
};

}  // namespace heist::detail

HEIST_END
