#pragma once
// when_all, when_any: several futures as one.

#include <heist/base/export.hpp>
#include <heist/future.hpp>
#include <heist/wait/gathering.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

HEIST_BEGIN

namespace heist {

namespace detail {

template <class... T>
class all_state : public outcome<std::tuple<future_value<T>...>> {
 public:
  explicit all_state(owned<outcome<future_value<T>>>... sources)
      : outcome<std::tuple<future_value<T>...>>([](future_state& s) noexcept { delete static_cast<all_state*>(&s); }, 2),
        sources_(std::move(sources)...) {}

  void begin() {
    this->made_of([](future_state& self, std::vector<owned<future_state>>& to) {
      auto add = [&](auto& s) {
        if (s) to.push_back(share_of(*s));
      };
      std::apply([&](auto&... s) { (add(s), ...); }, static_cast<all_state&>(self).sources_);
    });
    std::apply([&](const auto&... s) { gathering::all(*this, {s.get()...}, all_ready); }, sources_);
  }

 private:
  static void all_ready(future_state& self) noexcept {
    auto& me = static_cast<all_state&>(self);
    auto sources = me.take_sources(me.sources_);
    std::apply(
        [&](const auto&... s) {
          (me.fail_as(*s), ...);
          if (!me.failure) me.fill([&] { return std::tuple<future_value<T>...>(std::move(s->value())...); });
          (me.append_left(*s), ...);
        },
        sources);
  }
  std::tuple<owned<outcome<future_value<T>>>...> sources_;
};

// A vector of values; for void, nothing.
template <class T>
using all_values = std::conditional_t<std::is_void_v<T>, void, std::vector<future_value<T>>>;

template <class T>
class all_of_state : public outcome<future_value<all_values<T>>> {
 public:
  explicit all_of_state(std::vector<owned<outcome<future_value<T>>>>&& sources)
      : outcome<future_value<all_values<T>>>([](future_state& s) noexcept { delete static_cast<all_of_state*>(&s); }, 2),
        sources_(std::move(sources)) {}

  void begin() {
    this->made_of([](future_state& self, std::vector<owned<future_state>>& to) {
      auto& from = static_cast<all_of_state&>(self).sources_;
      to.reserve(to.size() + from.size());
      for (auto& s : from) to.push_back(share_of(*s));
    });
    std::vector<future_state*> states;
    states.reserve(sources_.size());
    for (const auto& s : sources_) states.push_back(s.get());
    gathering::all(*this, states, all_ready);
  }

 private:
  static void all_ready(future_state& self) noexcept {
    auto& me = static_cast<all_of_state&>(self);
    const auto sources = me.take_sources(me.sources_);
    for (const auto& s : sources) {
      me.fail_as(*s);
      me.append_left(*s);
    }
    if (me.failure) return;
    me.fill([&]() -> all_values<T> {
      if constexpr (!std::is_void_v<T>) {
        all_values<T> values;
        values.reserve(sources.size());
        for (const auto& s : sources) values.push_back(std::move(s->value()));
        return values;
      }
    });
  }
  std::vector<owned<outcome<future_value<T>>>> sources_;
};

template <class F>
constexpr bool is_vector_of_futures = false;
template <class F>
constexpr bool is_vector_of_futures<std::vector<F>> = is_future<F>;

// A vector of those: not a const one of futures that would be used up.
template <class V>
concept usable_futures =
    is_vector_of_futures<std::remove_cvref_t<V>> && usable_future<decltype(std::declval<V&>().front())>;

// The state of one of those that when_all waits for. The values of a shared one are copied.
template <class T>
owned<outcome<future_value<T>>> source_of(future<T>& f) {
  return future_access::take_state(f);
}
template <class T>
owned<outcome<future_value<T>>> source_of(const shared_future<T>& f) {
  constexpr bool copies = std::is_void_v<T> || std::is_copy_constructible_v<future_value<T>>;
  static_assert(copies, "heist::when_all copies the value of a shared_future, and this one cannot be copied");
  if constexpr (std::is_void_v<T>) {
    future<void> copy = f.then([] {});
    return future_access::take_state(copy);
  } else if constexpr (copies) {
    future<T> copy = f.then([](const T& v) -> T { return v; });
    return future_access::take_state(copy);
  } else {
    return {};
  }
}

// The state of `when_any`: one share of it is the future's, one each its listeners'.
HEIST_API outcome<std::size_t>* first_of(const std::vector<future_state*>& states);

}  // namespace detail

// The future of all values: of a std::tuple (with a std::monostate for each void), or of a vector (of nothing, for void).
// It is ready when all are. If some failed, it has the exception of the first of them, in the order of the arguments. The
// futures are used up, as by get(), whether or not they are passed by std::move; a shared_future is not, and its value is
// copied.
template <detail::usable_future... F>
[[nodiscard]] HEIST_OWN future<std::tuple<detail::future_value<detail::brought_by<F>>...>> when_all(F&&... futures) {
  using all = std::tuple<detail::future_value<detail::brought_by<F>>...>;
  auto s = std::make_unique<detail::all_state<detail::brought_by<F>...>>(detail::source_of(futures)...);
  s->begin();
  return detail::future_access::of_state<all>(s.release());
}
template <detail::usable_futures V>
[[nodiscard]] HEIST_OWN auto when_all(V&& futures) {
  using value = detail::brought_by<typename std::remove_cvref_t<V>::value_type>;
  std::vector<detail::owned<detail::outcome<detail::future_value<value>>>> sources;
  sources.reserve(futures.size());
  for (auto& f : futures) sources.push_back(detail::source_of(f));
  auto s = std::make_unique<detail::all_of_state<value>>(std::move(sources));
  s->begin();
  return detail::future_access::of_state<detail::all_values<value>>(s.release());
}

// The future of the index of one that is ready: the first to become so or, if some are ready now, the first of those. The
// futures stay the caller's. Throws std::invalid_argument if there are none.
template <class... F>
  requires(sizeof...(F) > 0 && (detail::is_future<std::remove_cvref_t<F>> && ...))
[[nodiscard]] HEIST_OWN future<std::size_t> when_any(F&&... futures) {
  return detail::future_access::of_state<std::size_t>(detail::first_of({detail::future_access::state(futures)...}));
}
template <class F>
  requires detail::is_future<F>
[[nodiscard]] HEIST_OWN future<std::size_t> when_any(const std::vector<F>& futures) {
  std::vector<detail::future_state*> states;
  states.reserve(futures.size());
  for (const F& f : futures) states.push_back(detail::future_access::state(f));
  return detail::future_access::of_state<std::size_t>(detail::first_of(states));
}

// Refused: what are no futures.
template <class... F>
  requires(!(detail::usable_future<F> && ...) && !(sizeof...(F) == 1 && (detail::usable_futures<F> && ...)))
HEIST_OWN future<std::tuple<>> when_all(F&&...) {
  static_assert(sizeof...(F) == 0, "heist::when_all takes futures, or a vector of them, which it uses up: not const ones");
  return {};
}
template <class... F>
  requires(!(detail::is_future<std::remove_cvref_t<F>> && ...) &&
           !(sizeof...(F) == 1 && (detail::is_vector_of_futures<std::remove_cvref_t<F>> && ...)))
HEIST_OWN future<std::size_t> when_any(F&&...) {
  static_assert(sizeof...(F) == 0, "heist::when_any takes futures, or a vector of them");
  return {};
}

}  // namespace heist

HEIST_END
