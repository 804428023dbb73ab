#pragma once
// What may be passed last to every loop and algorithm: heist::grain and std::stop_token, in any order.

#include <heist/base/export.hpp>
#include <heist/cancelled.hpp>
#include <heist/grain.hpp>
#include <heist/sched/unwanted.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <stop_token>
#include <tuple>
#include <type_traits>

HEIST_BEGIN

namespace heist::detail {

template <class T>
concept option = std::same_as<std::remove_cvref_t<T>, grain> || std::same_as<std::remove_cvref_t<T>, std::stop_token>;

// The options of one call. Refers to the arguments: they are in the caller's frame, which outlives
// the call.
template <option... O>
class options_of {
  template <class T>
  static constexpr std::size_t count = (std::size_t{0} + ... + std::size_t{std::same_as<O, T>});
  static_assert(count<grain> <= 1, "heist: a grain is passed twice");
  static_assert(count<std::stop_token> <= 1, "heist: a std::stop_token is passed twice");

 public:
  static constexpr bool has_grain = count<grain> != 0;
  static constexpr bool has_stop = count<std::stop_token> != 0;

  explicit options_of(const O&... o) noexcept : all_(o...) {}

  // At least 1.
  std::size_t grain_or(std::size_t ours) const noexcept {
    if constexpr (has_grain) ours = std::get<const grain&>(all_).size;
    return std::max<std::size_t>(ours, 1);
  }

  // Between stretches of work: throws if a stop was requested, or if the result is no longer
  // wanted.
  void check() const {
    stop_if_unwanted();
    if constexpr (has_stop)
      if (std::get<const std::stop_token&>(all_).stop_requested()) throw cancelled();
  }

 private:
  std::tuple<const O&...> all_;
};

}  // namespace heist::detail

HEIST_END
