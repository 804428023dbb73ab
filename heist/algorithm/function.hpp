#pragma once
// A user's function, where it is called.

#include <functional>
#include <type_traits>
#include <utility>

namespace heist::detail {

// A small function is copied: what it has captured is then in registers, and the compiler vectorises as it does for a
// loop written out. Others stay with the caller. As with the standard's parallel algorithms, a function must not rely
// on being one and the same object.
template <class F>
class local_function {
 public:
  explicit local_function(F& f) noexcept : f_(f) {}
  template <class... Args>
  decltype(auto) operator()(Args&&... args) const {
    return std::invoke(f_, std::forward<Args>(args)...);
  }

 private:
  using copy = std::decay_t<F>;
  static constexpr bool small = std::is_trivially_copyable_v<copy> && sizeof(copy) <= 64;
  [[no_unique_address]] mutable std::conditional_t<small, copy, std::reference_wrapper<F>> f_;
};
template <class F>
local_function(F&) -> local_function<F>;

}  // namespace heist::detail
