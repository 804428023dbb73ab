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
    std::apply([&](const auto&... s) { gathering::all(*this, {s.get()...}, all_ready); }, sources_);
  }

 private:
  static void all_ready(future_state& self) noexcept {
    auto& me = static_cast<all_state&>(self);
    auto sources = std::move(me.sources_);
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
    std::vector<future_state*> states;
    states.reserve(sources_.size());
    for (const auto& s : sources_) states.push_back(s.get());
    gathering::all(*this, states, all_ready);
  }

 private:
  static void all_ready(future_state& self) noexcept {
    auto& me = static_cast<all_of_state&>(self);
    const auto sources = std::move(me.sources_);
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
struct is_future : std::false_type {};
template <class T>
struct is_future<future<T>> : std::true_type {};

template <class F>
struct are_futures : is_future<F> {};
template <class T>
struct are_futures<std::vector<future<T>>> : std::true_type {};

// The state of `when_any`: one share of it is the future's, one each its listeners'.
HEIST_API outcome<std::size_t>* first_of(const std::vector<future_state*>& states);

}  // namespace detail

// The future of all values: of a std::tuple (with a std::monostate for each void), or of a vector (of nothing, for void).
// It is ready when all are. If some failed, it has the exception of the first of them, in the order of the arguments. The
// futures are used up.
template <class... T>
[[nodiscard]] HEIST_OWN future<std::tuple<detail::future_value<T>...>> when_all(future<T>... futures) {
  auto s = std::make_unique<detail::all_state<T...>>(detail::future_access::take_state(futures)...);
  s->begin();
  return detail::future_access::of_state<std::tuple<detail::future_value<T>...>>(s.release());
}
template <class T>
[[nodiscard]] HEIST_OWN future<detail::all_values<T>> when_all(std::vector<future<T>> futures) {
  std::vector<detail::owned<detail::outcome<detail::future_value<T>>>> sources;
  sources.reserve(futures.size());
  for (future<T>& f : futures) sources.push_back(detail::future_access::take_state(f));
  auto s = std::make_unique<detail::all_of_state<T>>(std::move(sources));
  s->begin();
  return detail::future_access::of_state<detail::all_values<T>>(s.release());
}

// The future of the index of one that is ready: the first to become so or, if some are ready now, the first of those. The
// futures stay the caller's. Throws std::invalid_argument if there are none.
template <class... F>
  requires(sizeof...(F) > 0 && (detail::is_future<std::remove_cvref_t<F>>::value && ...))
[[nodiscard]] HEIST_OWN future<std::size_t> when_any(F&&... futures) {
  return detail::future_access::of_state<std::size_t>(detail::first_of({detail::future_access::state(futures)...}));
}
template <class T>
[[nodiscard]] HEIST_OWN future<std::size_t> when_any(const std::vector<future<T>>& futures) {
  std::vector<detail::future_state*> states;
  states.reserve(futures.size());
  for (const future<T>& f : futures) states.push_back(detail::future_access::state(f));
  return detail::future_access::of_state<std::size_t>(detail::first_of(states));
}

// Refused: what are no futures.
template <class... F>
  requires(!(detail::are_futures<std::remove_cvref_t<F>>::value && ...))
HEIST_OWN future<std::tuple<>> when_all(F&&...) {
  static_assert(sizeof...(F) == 0, "heist::when_all takes futures, or a vector of them; pass those with std::move");
  return {};
}
template <class... F>
  requires(!(detail::are_futures<std::remove_cvref_t<F>>::value && ...))
HEIST_OWN future<std::size_t> when_any(F&&...) {
  static_assert(sizeof...(F) == 0, "heist::when_any takes futures, or a vector of them");
  return {};
}

}  // namespace heist

HEIST_END
