#pragma once
// A chain of stages: a source, the stages that keep its places, and the steps that do not. Nothing runs before its end.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/base/export.hpp>
#include <heist/lazy/cursor.hpp>
#include <heist/lazy/element.hpp>
#include <heist/lazy/endings.hpp>
#include <heist/lazy/fill.hpp>
#include <heist/lazy/source.hpp>
#include <heist/lazy/steps.hpp>
#include <heist/op.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

template <class Source, class... Steps>
class chain;

template <class C>
inline constexpr bool is_chain = false;
template <class Source, class... Steps>
inline constexpr bool is_chain<chain<Source, Steps...>> = true;

// The container that is meant by its template: std::vector of the elements, std::map of the two parts of pairs.
template <template <class...> class C, class Value>
struct container_of {
  static consteval auto which() {
    if constexpr (requires { typename C<Value>; })
      return std::type_identity<C<Value>>();
    else
      return std::type_identity<C<std::tuple_element_t<0, Value>, std::tuple_element_t<1, Value>>>();
  }
  using type = typename decltype(which())::type;
};

template <class C, class Value>
concept writable_vector = std::same_as<C, std::vector<typename C::value_type, typename C::allocator_type>> &&
                          !std::same_as<typename C::value_type, bool> &&
                          std::default_initializable<typename C::value_type> &&
                          std::is_assignable_v<typename C::value_type&, Value>;

// Where a copy goes, for fill_container().
template <class Out>
struct written_to {
  Out at;
};
struct write_to {
  template <class Out, class X>
  HEIST_INLINE void operator()(written_to<Out>& o, X&& x) const {
    detail::assign(*o.at, std::forward<X>(x));
    ++o.at;
  }
};

template <class Source, class... Steps>
class [[nodiscard]] chain {
 public:
  using element = typename element_after<typename Source::element, Steps...>::type;
  using reference = typename element::reference;
  using value_type = typename element::value;
  // Whether the place of each element is known, and their number.
  static constexpr bool indexed = sizeof...(Steps) == 0;

  explicit chain(Source s, std::tuple<Steps...> t = {}) : source_(std::move(s)), steps_(std::move(t)) {}

  const Source& source() const& noexcept { return source_; }
  Source&& source() && noexcept { return std::move(source_); }
  const std::tuple<Steps...>& steps() const noexcept { return steps_; }

  // The chain with another step at its end.
  template <class Step>
  chain<Source, Steps..., Step> then(Step step) && {
    return chain<Source, Steps..., Step>(std::move(source_), std::tuple_cat(std::move(steps_), std::tuple<Step>(std::move(step))));
  }

  // Ends. Each runs the chain once; a std::stop_token may be passed last.

  // Calls f with every element, possibly in parallel.
  template <class F, option... O>
  void for_each(F&& f, const O&... o) const {
    using function = std::remove_cvref_t<F>;
    static_assert(!shares_memory<reference>,
                  "heist: neighbours in a std::vector<bool> share a byte and cannot be written in parallel; pass it as "
                  "const, or use std::vector<char>");
    if constexpr (can_stage<function, reference>()) {
      const options_of options(o...);
      const auto cursor = source_.open(options);
      auto some = [&](std::size_t a, std::size_t b) {
        const stage_function<function> here(f);
        auto call = [&here](auto&& x) { here(std::forward<decltype(x)>(x)); };
        detail::flow_through(cursor, steps_, a, b, call);
      };
      detail::for_pieces(cursor.size(), some, options);
    }
  }

  // A container with the elements, in order: to<std::vector>(), to<std::set<std::string>>(), to<std::map>() of pairs. A map
  // keeps the first of several values with one key.
  template <class C, option... O>
  [[nodiscard]] C to(const O&... o) const {
    constexpr bool kept = std::is_constructible_v<value_type, reference>;
    static_assert(kept, "heist: these elements cannot be copied; end with heist::stage::as_rvalue() before the container to move them");
    constexpr bool grows = can_add<C, value_type>;
    static_assert(grows, "heist::to: elements cannot be added to this container one by one, at its end or where they belong");
    if constexpr (kept && grows) {
      const options_of options(o...);
      const auto cursor = source_.open(options);
      if constexpr (indexed && writable_vector_of<C>()) {
        C all(cursor.size());
        auto some = [&, to = all.data()](std::size_t a, std::size_t b) {
          const auto here = cursor;
          for (std::size_t k = a; k != b; ++k) detail::assign(to[k], here[k]);
        };
        detail::for_pieces(cursor.size(), some, options);
        return all;
      } else {
        C all;
        if constexpr (indexed && requires { all.reserve(cursor.size()); }) all.reserve(cursor.size());
        detail::fill_container<value_type>(all, add_to(), cursor, steps_, options);
        return all;
      }
    } else {
      return refused<C>();
    }
  }
  template <template <class...> class C, option... O>
  [[nodiscard]] auto to(const O&... o) const {
    return to<typename container_of<C, value_type>::type>(o...);
  }

  // The same; with an operation, values under one key of a map are combined by it, in order. Without a container: a vector.
  template <class C, class Op, option... O>
    requires(!option<Op>)
  [[nodiscard]] C collect(Op op, const O&... o) const {
    constexpr bool pairs = requires { typename C::mapped_type; } && is_tuple<value_type>;
    static_assert(pairs, "heist: an operation combines the values of a map, whose elements are pairs of key and value");
    if constexpr (pairs) {
      const options_of options(o...);
      const auto cursor = source_.open(options);
      C all;
      detail::fill_container<value_type>(all, add_combined<Op>{std::move(op)}, cursor, steps_, options);
      return all;
    } else {
      return refused<C>();
    }
  }
  template <template <class...> class C, class Op, option... O>
    requires(!option<Op>)
  [[nodiscard]] auto collect(Op op, const O&... o) const {
    return collect<typename container_of<C, value_type>::type>(std::move(op), o...);
  }
  template <class C, option... O>
  [[nodiscard]] C collect(const O&... o) const {
    return to<C>(o...);
  }
  template <template <class...> class C, option... O>
  [[nodiscard]] auto collect(const O&... o) const {
    return to<C>(o...);
  }
  template <option... O>
  [[nodiscard]] std::vector<value_type> collect(const O&... o) const {
    return to<std::vector<value_type>>(o...);
  }

  // Writes the elements to `out`, in order; returns the end of them.
  template <std::input_or_output_iterator Out, option... O>
  Out copy(Out out, const O&... o) const {
    if constexpr (can_assign<Out, reference>()) {
      const options_of options(o...);
      const auto cursor = source_.open(options);
      if constexpr (indexed) {
        auto some = [&](std::size_t a, std::size_t b) {
          const auto here = cursor;
          Out to = detail::at(out, a);
          for (std::size_t k = a; k != b; ++k, ++to) detail::assign(*to, here[k]);
        };
        detail::for_pieces(cursor.size(), some, options);
        return detail::at(out, cursor.size());
      } else {
        written_to<Out> to{std::move(out)};
        detail::fill_container<value_type>(to, write_to(), cursor, steps_, options);
        return to.at;
      }
    } else {
      return out;
    }
  }

  // op(init, the fold of the elements, in order), with the same bits on every number of workers. op must be associative. An
  // operation with an identity needs no init; with any other, and no init, the result is a std::optional: empty if there is
  // no element. Without anything it is the sum, from value_type().
  template <class T, class Op, option... O>
    requires(!option<T> && !option<Op>)
  [[nodiscard]] T reduce(T init, Op op, const O&... o) const {
    if constexpr (combines_in_place<Op, T>) {
      return reduce(std::move(init), by_value<T, Op>{op}, o...);
    } else if constexpr (can_fold<T, Op, passed_on<reference>>()) {
      const options_of options(o...);
      const auto cursor = source_.open(options);
      if constexpr (indexed) {
        auto at = [&cursor, here = local_cursor(cursor)](std::size_t k) -> passed_on<reference> { return here(cursor)[k]; };
        return detail::fold_values<is_cheap<Op, T>>(cursor.size(), init, at, op, options);
      } else if constexpr (is_large<T>) {
        boxed_operation<T, Op> boxed_op{op};
        auto sum = detail::fold_flow<boxed<T>>(cursor, steps_, boxed_op, options);
        return sum ? static_cast<T>(std::invoke(op, std::move(init), std::move(**sum))) : std::move(init);
      } else {
        auto sum = detail::fold_flow<T>(cursor, steps_, op, options);
        return sum ? static_cast<T>(std::invoke(op, std::move(init), std::move(*sum))) : std::move(init);
      }
    } else {
      return refused<T>();
    }
  }
  template <class X, option... O>
    requires(!option<X>)
  [[nodiscard]] auto reduce(X x, const O&... o) const {
    if constexpr (monoid<X>) {
      auto init = x.identity();
      return reduce(std::move(init), std::move(x), o...);
    } else if constexpr (std::is_invocable_v<X&, value_type, value_type>) {
      return fold<value_type>(x, options_of(o...));
    } else {
      return reduce(std::move(x), std::plus<>(), o...);
    }
  }
  template <option... O>
  [[nodiscard]] value_type reduce(const O&... o) const {
    return reduce(value_type(), std::plus<>(), o...);
  }
  template <option... O>
  [[nodiscard]] value_type sum(const O&... o) const {
    return reduce(o...);
  }

  // How many elements there are. The stages run.
  template <option... O>
  [[nodiscard]] std::size_t count(const O&... o) const {
    const options_of options(o...);
    const auto cursor = source_.open(options);
    flow_count body(cursor, steps_, options);
    detail::loop(cursor.size(), body, options);
    return body.n;
  }

  // The first smallest element, the first largest; nothing if there is none.
  template <function Comp = std::ranges::less, option... O>
  [[nodiscard]] std::optional<value_type> min(Comp comp, const O&... o) const {
    return min_by(std::identity(), std::move(comp), o...);
  }
  template <function Comp = std::ranges::less, option... O>
  [[nodiscard]] std::optional<value_type> max(Comp comp, const O&... o) const {
    return max_by(std::identity(), std::move(comp), o...);
  }
  template <option... O>
  [[nodiscard]] std::optional<value_type> min(const O&... o) const {
    return extreme(std::ranges::less(), options_of(o...));
  }
  template <option... O>
  [[nodiscard]] std::optional<value_type> max(const O&... o) const {
    return extreme(std::ranges::greater(), options_of(o...));
  }
  // The same by key(x).
  template <class Key, function Comp = std::ranges::less, option... O>
  [[nodiscard]] std::optional<value_type> min_by(Key key, Comp comp, const O&... o) const {
    return best(key, comp, options_of(o...));
  }
  template <class Key, option... O>
  [[nodiscard]] std::optional<value_type> min_by(Key key, const O&... o) const {
    return best(key, std::ranges::less(), options_of(o...));
  }
  template <class Key, function Comp = std::ranges::less, option... O>
  [[nodiscard]] std::optional<value_type> max_by(Key key, Comp comp, const O&... o) const {
    auto more = [&comp](const auto& a, const auto& b) { return std::invoke(comp, b, a); };
    return best(key, more, options_of(o...));
  }
  template <class Key, option... O>
  [[nodiscard]] std::optional<value_type> max_by(Key key, const O&... o) const {
    return best(key, std::ranges::greater(), options_of(o...));
  }

  // The first element that pred accepts; or any one, which may be found sooner. Without pred: the first, or any, element.
  template <function Pred, option... O>
  [[nodiscard]] std::optional<value_type> find_first(Pred pred, const O&... o) const {
    return look<value_type>(wanted::first, pred, options_of(o...));
  }
  template <option... O>
  [[nodiscard]] std::optional<value_type> find_first(const O&... o) const {
    return look<value_type>(wanted::first, always(), options_of(o...));
  }
  template <function Pred, option... O>
  [[nodiscard]] std::optional<value_type> find_any(Pred pred, const O&... o) const {
    return look<value_type>(wanted::any, pred, options_of(o...));
  }
  template <option... O>
  [[nodiscard]] std::optional<value_type> find_any(const O&... o) const {
    return look<value_type>(wanted::any, always(), options_of(o...));
  }

  // Whether pred accepts at least one, all, or none of the elements; any() and none() without pred: whether there is an
  // element, or none.
  template <function Pred, option... O>
  [[nodiscard]] bool any(Pred pred, const O&... o) const {
    return look<std::monostate>(wanted::first, pred, options_of(o...)).has_value();
  }
  template <option... O>
  [[nodiscard]] bool any(const O&... o) const {
    return any(always(), o...);
  }
  template <function Pred, option... O>
  [[nodiscard]] bool all(Pred pred, const O&... o) const {
    if constexpr (can_choose<Pred, reference>()) {
      const stage_function<Pred> asked(pred);
      auto fails = [&asked](auto& x) { return !static_cast<bool>(asked(x)); };
      return !look<std::monostate>(wanted::first, fails, options_of(o...)).has_value();
    } else {
      return false;
    }
  }
  template <function Pred, option... O>
  [[nodiscard]] bool none(Pred pred, const O&... o) const {
    return !any(std::move(pred), o...);
  }
  template <option... O>
  [[nodiscard]] bool none(const O&... o) const {
    return !any(o...);
  }

 private:
  struct always {
    template <class X>
    constexpr bool operator()(const X&) const noexcept {
      return true;
    }
  };

  template <class C>
  static consteval bool writable_vector_of() noexcept {
    if constexpr (requires {
                    typename C::value_type;
                    typename C::allocator_type;
                  })
      return writable_vector<C, reference>;
    else
      return false;
  }

  // Numbers as they are, under an operation that is known to be very fast: folded in lanes, as by heist::reduce.
  template <class Op, class T>
  static constexpr bool is_cheap = cheap_operation<Op, T> && std::is_arithmetic_v<std::remove_cvref_t<reference>> &&
                                   (requires(const Source& s) { s.as_range(); });

  // A cursor for a fold's function, which is copied to where it is called if it is small.
  template <class Cursor>
  static auto local_cursor(const Cursor& cursor) {
    if constexpr (std::is_trivially_copyable_v<Cursor> && sizeof(Cursor) <= 48)
      return [cursor](const Cursor&) -> const Cursor { return cursor; };
    else
      return [](const Cursor& c) -> const Cursor& { return c; };
  }

  template <class T, class Op, class Options>
  std::optional<T> fold(Op& op, const Options& options) const {
    if constexpr (combines_in_place<Op, T>) {
      by_value<T, Op> combine{op};
      return fold<T>(combine, options);
    } else if constexpr (can_fold<T, Op, passed_on<reference>>()) {
      const auto cursor = source_.open(options);
      return detail::fold_flow<T>(cursor, steps_, op, options);
    } else {
      return refused<std::optional<T>>();
    }
  }

  // A number is folded, which compilers vectorise; of anything else only the best is kept.
  template <class Better, class Options>
  std::optional<value_type> extreme(Better better, const Options& options) const {
    if constexpr (std::is_arithmetic_v<value_type>) {
      auto op = [better](value_type a, value_type b) { return better(b, a) ? b : a; };
      return fold<value_type>(op, options);
    } else {
      return best(std::identity(), better, options);
    }
  }

  template <class Key, class Better, class Options>
  std::optional<value_type> best(const Key& key, const Better& better, const Options& options) const {
    using lvalue = std::remove_reference_t<reference>&;
    if constexpr (can_stage<Key, lvalue>()) {
      using key_type = std::remove_cvref_t<result_with<const Key, lvalue>>;
      constexpr bool ordered = std::is_invocable_v<const Better&, const key_type&, const key_type&>;
      constexpr bool kept = std::is_constructible_v<value_type, reference>;
      static_assert(ordered, "heist: these keys cannot be compared by <, or by the comparison");
      static_assert(kept, "heist: these elements cannot be copied, so the smallest or largest cannot be returned");
      if constexpr (ordered && kept) {
        const auto cursor = source_.open(options);
        using steps = std::tuple<Steps...>;
        best_body<value_type, key_type, Key, Better, decltype(cursor), const steps, Options> body(key, better, cursor, steps_, options);
        detail::loop(cursor.size(), body, options);
        return std::move(body.value);
      }
    }
    return std::nullopt;
  }

  template <class Kept, class Pred, class Options>
  std::optional<Kept> look(wanted which, const Pred& pred, const Options& options) const {
    if constexpr (can_choose<Pred, reference>()) {
      constexpr bool kept = std::is_same_v<Kept, std::monostate> || std::is_constructible_v<Kept, reference>;
      static_assert(kept, "heist: these elements cannot be copied, so a match cannot be returned; enumerate() them, and find "
                          "an index");
      if constexpr (kept) {
        const auto cursor = source_.open(options);
        return detail::seek<Kept>(which, pred, cursor, steps_, options);
      }
    }
    return std::nullopt;
  }

  Source source_;
  std::tuple<Steps...> steps_;
};

// A source of which every element's place is known: that of the chain, or else its elements, gathered when it runs.
template <class C>
auto places_of(C&& c, std::size_t most = all_of_them) {
  using chain_type = std::remove_cvref_t<C>;
  if constexpr (chain_type::indexed)
    return std::forward<C>(c).source();
  else
    return gathered_source<chain_type>{std::forward<C>(c), most};
}

}  // namespace heist::detail

HEIST_END
