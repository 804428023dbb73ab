#pragma once
// What may be passed last to every loop and algorithm: heist::grain and std::stop_token, in any order. Loops also take a
// heist::limit and a heist::affinity, loops and folds a heist::progress.

#include <heist/base/export.hpp>
#include <heist/cancelled.hpp>
#include <heist/grain.hpp>
#include <heist/limit.hpp>
#include <heist/sched/unwanted.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <stop_token>
#include <tuple>
#include <type_traits>

HEIST_BEGIN

namespace heist {
class HEIST_TYPE affinity;
class HEIST_TYPE progress;
}

namespace heist::detail {

template <class T, class... Kinds>
concept option_kind = (std::same_as<T, Kinds> || ...);
template <class T>
concept option = option_kind<std::remove_cvref_t<T>, grain, std::stop_token, limit, affinity, progress>;

// The options of one call. Refers to the arguments: they are in the caller's frame, which outlives
// the call.
template <option... O>
class options_of {
  template <class T>
  static constexpr std::size_t count = (std::size_t{0} + ... + std::size_t{std::same_as<O, T>});
  static_assert(count<grain> <= 1, "heist: a grain is passed twice");
  static_assert(count<std::stop_token> <= 1, "heist: a std::stop_token is passed twice");
  static_assert(count<limit> <= 1, "heist: a heist::limit is passed twice");
  static_assert(count<affinity> <= 1, "heist: a heist::affinity is passed twice");
  static_assert(count<progress> <= 1, "heist: a heist::progress is passed twice");

 public:
  static constexpr bool has_grain = count<grain> != 0;
  static constexpr bool has_stop = count<std::stop_token> != 0;
  static constexpr bool has_limit = count<limit> != 0;
  static constexpr bool has_affinity = count<affinity> != 0;
  static constexpr bool has_progress = count<progress> != 0;

  explicit options_of(const O&... o) noexcept : all_(o...) {}

  // At least 1.
  std::size_t grain_or(std::size_t ours) const noexcept {
    if constexpr (has_grain) ours = std::get<const grain&>(all_).size;
    return std::max<std::size_t>(ours, 1);
  }

  // At least 1.
  std::size_t most_at_once() const noexcept
    requires has_limit
  {
    return std::max<std::size_t>(std::get<const limit&>(all_).most, 1);
  }

  const affinity& homes() const noexcept
    requires has_affinity
  {
    return std::get<const affinity&>(all_);
  }

  // After a stretch of work on n elements.
  void did(std::size_t n) const {
    if constexpr (has_progress) std::get<const progress&>(all_).add(n);
  }

  const std::stop_token& stop() const noexcept
    requires has_stop
  {
    return std::get<const std::stop_token&>(all_);
  }

  // Between stretches of work: throws if a stop was requested, or if the result is no longer
  // wanted.
  void check() const {
    stop_if_unwanted();
    if constexpr (has_stop)
      if (stop().stop_requested()) throw cancelled();
  }

 private:
  std::tuple<const O&...> all_;
};

// Calls that work with neither a limit nor an affinity nor a report of progress.
template <class Options>
consteval bool no_limit_here() noexcept {
  static_assert(!Options::has_limit,
                "heist: a heist::limit can be passed to loops (for_each, for_each_index, transform) and scopes only");
  static_assert(!Options::has_affinity,
                "heist: a heist::affinity can be passed to loops (for_each, for_each_index, transform) only");
  static_assert(!Options::has_progress, "heist: a heist::progress can be passed to loops and folds only");
  return true;
}
template <class Options>
consteval bool no_limit_in_fold() noexcept {
  static_assert(!Options::has_limit,
                "heist: a heist::limit can be passed to loops (for_each, for_each_index, transform) and scopes only");
  static_assert(!Options::has_affinity,
                "heist: a heist::affinity can be passed to loops (for_each, for_each_index, transform) only");
  return true;
}

}  // namespace heist::detail

HEIST_END
