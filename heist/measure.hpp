#pragma once
// measure: the work and the span of a real run.

#include <heist/base/export.hpp>
#include <heist/measurement.hpp>
#include <heist/meter/clock.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

// Part of a program, under a name: its work and span, summed over all times it is passed, are in the measurement's
// regions. A spawn inside it has its sync inside it, too. Costs next to nothing where nothing is measured. The name
// must live on. In a trace it is a bar from its beginning to its end.
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

// In units of strands: the calling strand costs so much more.
HEIST_API void charge(std::size_t cost) noexcept;

namespace detail {
HEIST_API measurement measure_call(void (*f)(void*), void* argument, unit in);
}  // namespace detail

// Runs f, in the pool the caller is in or else in the default pool, and returns what it came to. Only what f forks is
// counted, on whatever worker. Every fork is slower meanwhile, by some tens of nanoseconds that are not counted, also
// outside f in the same pool.
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
