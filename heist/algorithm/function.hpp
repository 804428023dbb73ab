#pragma once
// A user's function, where it is called.

#include <heist/base/export.hpp>

#include <functional>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// Large ones stay with the caller.
template <class F>
class local_function {
 public:
  explicit local_function(F& f) noexcept : f_(f) {}
  template <class... Args>
  decltype(auto) operator()(Args&&... args) const {
    return std::invoke(f_, std::forward<Args>(args)...);
  }

 private:
  F& f_;
};

// A small function is copied: what it has captured is then in registers, and the compiler vectorises as it does for a
// loop written out. As with the standard's parallel algorithms, a function must not rely on being one and the same
// object. One that changes what it has captured was refused before (requirements.hpp).
template <class F>
concept small_function = std::is_trivially_copyable_v<std::decay_t<F>> && sizeof(std::decay_t<F>) <= 64;

template <small_function F>
class local_function<F> {
 public:
  explicit local_function(F& f) noexcept : f_(f) {}
  template <class... Args>
  decltype(auto) operator()(Args&&... args) const {
    return std::invoke(f_, std::forward<Args>(args)...);
  }

 private:
  const std::decay_t<F> f_;
};

// What has captured nothing has nothing to change: it need not be const to call.
template <small_function F>
  requires std::is_empty_v<F>
class local_function<F> {
 public:
  explicit local_function(F& f) noexcept : f_(f) {}
  template <class... Args>
  decltype(auto) operator()(Args&&... args) const {
    return std::invoke(f_, std::forward<Args>(args)...);
  }

 private:
  [[no_unique_address]] mutable std::decay_t<F> f_;
};
template <class F>
local_function(F&) -> local_function<F>;

}  // namespace heist::detail

HEIST_END
