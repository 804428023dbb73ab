#pragma once
// A user's function, as the algorithms call it.

#include <heist/base/export.hpp>
#include <heist/race/strands.hpp>

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// A call of a user's function. In a build for races all calls of one algorithm are parallel to each other, except of
// functions that are known to touch nothing but their arguments.
#if defined(HEIST_RACE)
template <class F>
inline constexpr bool touches_nothing =
    std::is_same_v<F, std::identity> || std::is_same_v<F, std::less<>> || std::is_same_v<F, std::greater<>> ||
    std::is_same_v<F, std::plus<>> || std::is_same_v<F, std::ranges::less> || std::is_same_v<F, std::ranges::greater> ||
    std::is_same_v<F, std::equal_to<>> || std::is_same_v<F, std::ranges::equal_to>;

// Values that are not returned in registers: all calls would write them to one place of the algorithm's frame.
template <class R>
consteval bool is_returned_in_memory() noexcept {
  if constexpr (std::is_object_v<R> && std::is_move_constructible_v<R>)
    return !std::is_trivially_copyable_v<R> || sizeof(R) > 16;
  else
    return false;
}

// Calls f, which calls a user's function with these.
template <class F, class... Args>
[[gnu::noinline]] decltype(auto) call_apart(F&& f, const Args&... given) {
  using result = std::invoke_result_t<F&>;
  if constexpr (is_returned_in_memory<result>()) {
    std::unique_ptr<result> made(race::apart([&]() -> result* {
      const race::algorithm::callback one;
      one.takes(given...);
      auto value = std::make_unique<result>(f());
      one.gives(*value, given...);
      return value.release();
    }));
    return result(std::move(*made));
  } else {
    const race::algorithm::callback one;
    one.takes(given...);
    if constexpr (std::is_trivially_copyable_v<result> && std::is_copy_constructible_v<result>) {
      const result value = f();
      one.gives(value, given...);
      return result(value);
    } else if constexpr (std::is_void_v<result>) {
      f();
      one.gives(given...);
    } else {
      return f();
    }
  }
}
template <class F, class... Args>
decltype(auto) call_back(F& f, Args&&... args) {
  if constexpr (touches_nothing<std::remove_cv_t<F>>)
    return std::invoke(f, std::forward<Args>(args)...);
  else
    return detail::call_apart([&]() -> decltype(auto) { return std::invoke(f, std::forward<Args>(args)...); }, args...);
}
#else
template <class F, class... Args>
HEIST_INLINE decltype(auto) call_back(F& f, Args&&... args) {
  return std::invoke(f, std::forward<Args>(args)...);
}
#endif

// Large functions stay with the caller.
template <class F>
class local_function {
 public:
  explicit local_function(F& f) noexcept : f_(f) {}
  template <class... Args>
  decltype(auto) operator()(Args&&... args) const {
    return detail::call_back(f_, std::forward<Args>(args)...);
  }

 private:
  F& f_;
};

// A small function is copied, so that its captures are in registers and the compiler vectorises as
// for a hand-written loop. As with the standard's parallel algorithms, a function must not rely on
// being a single object. One that changes its captures was refused before (requirements.hpp).
template <class F>
concept small_function = std::is_trivially_copyable_v<std::decay_t<F>> && sizeof(std::decay_t<F>) <= 64;

template <small_function F>
class local_function<F> {
 public:
  explicit local_function(F& f) noexcept : f_(f) {}
  template <class... Args>
  decltype(auto) operator()(Args&&... args) const {
    return detail::call_back(f_, std::forward<Args>(args)...);
  }

 private:
  const std::decay_t<F> f_;
};

// Without captures there is nothing to change, so operator() need not be const.
template <small_function F>
  requires std::is_empty_v<F>
class local_function<F> {
 public:
  explicit local_function(F& f) noexcept : f_(f) {}
  template <class... Args>
  decltype(auto) operator()(Args&&... args) const {
    return detail::call_back(f_, std::forward<Args>(args)...);
  }

 private:
  [[no_unique_address]] mutable std::decay_t<F> f_;
};
template <class F>
local_function(F&) -> local_function<F>;

}  // namespace heist::detail

HEIST_END
