#pragma once
// A computation that a std::stop_token may stop.

#include <heist/base/export.hpp>
#include <heist/sched/closure.hpp>

#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// A strand in a pool: runs body(argument) as the one child of a scope with that token, and throws what that throws.
HEIST_API void run_until(const std::stop_token& token, void (*body)(void*), void* argument);

// A strand in a pool: what f returns or throws, or heist::cancelled.
template <class F>
result_of<F> until(const std::stop_token& token, F&& f) {
  struct {
    std::remove_reference_t<F>& f;
    std::optional<value_of<F>> value;
  } call_of{f, {}};
  run_until(
      token,
      [](void* c) {
        auto& [function, value] = *static_cast<decltype(call_of)*>(c);
        value.emplace(call(static_cast<F&&>(function)));
      },
      &call_of);
  if constexpr (!std::is_void_v<result_of<F>>) return std::move(*call_of.value);
}

}  // namespace heist::detail

HEIST_END
