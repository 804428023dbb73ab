#pragma once
// measure: the work and the span of a run.

#include <heist/base/export.hpp>
#include <heist/measurement.hpp>
#include <heist/meter/path.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

// A named part of the program, from the object's construction to its destruction. Its work and
// span, summed over all passes, are in measurement::regions. A spawn inside a region must be synced
// inside it. A region costs almost nothing while nothing is measured. `name` is not copied and must
// stay valid, as a string literal does. A trace shows each pass as a bar.
class HEIST_TYPE region {
 public:
  HEIST_API explicit region(const char* name) noexcept;
  HEIST_API ~region();
  region(const region&) = delete;
  region& operator=(const region&) = delete;

 private:
  const char* const name_;
  unsigned lane_ = 0;       // where it began, if the program is traced
  std::int64_t since_ = 0;  // … and when, in nanoseconds; 0: it is not
  detail::cost work_;
  detail::path_length path_;
  std::uint64_t forks_ = 0;
};

// For unit::strand: adds `cost` to the calling strand's length.
HEIST_API void charge(std::size_t cost) noexcept;

namespace detail {
HEIST_API measurement measure_call(void (*f)(void*), void* argument, unit in);
}  // namespace detail

// Runs f in the pool that the caller is in, or else in the default pool, and returns its work and
// span. Counts only f and what it forks, on every worker. Meanwhile every fork in that pool, also
// outside f, is slower by some tens of nanoseconds, which are not counted.
template <class F>
measurement measure(F&& f, unit in = unit::time) {
  static_assert(std::is_invocable_v<F>, "heist::measure takes a function that can be called without arguments");
  if constexpr (std::is_invocable_v<F>) {
    auto call = [&] { std::invoke(std::forward<F>(f)); };
    return detail::measure_call([](void* p) { (*static_cast<decltype(call)*>(p))(); }, &call, in);
  } else {
    return {};
  }
}

}  // namespace heist

HEIST_END
