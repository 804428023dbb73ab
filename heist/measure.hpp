#pragma once
// measure: the work and the span of a real run.

#include <heist/base/export.hpp>
#include <heist/meter/clock.hpp>
#include <heist/pool.hpp>
#include <heist/sched/measured.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace heist {

// What a run came to: in nanoseconds, or in strands.
struct measurement {
  struct part {  // of one name
    std::string name;
    std::size_t times = 0;
    double work = 0, span = 0;
  };
  struct share {  // of one worker
    std::size_t strands = 0;
    double busy = 0;  // always in nanoseconds
  };
  struct range {
    double least, most;
  };

  unit in = unit::time;
  double work = 0;           // T1: all strands
  double span = 0;           // T∞: the longest path
  double burdened_span = 0;  // the same, each fork on the path charged with `burden`
  double burden = 0;         // what a steal costs here
  std::size_t forks = 0;
  std::size_t steals = 0, steal_attempts = 0, suspends = 0;  // of the whole pool in that time
  std::size_t stack_bytes_peak = 0;                          // of the whole pool since it was made
  std::vector<share> workers;
  std::vector<part> regions;

  double parallelism() const { return span > 0 ? work / span : 1; }
  double burdened_parallelism() const { return burdened_span > 0 ? work / burdened_span : 1; }
  // The time on so many workers: at least max(T1/P, T∞), and to be expected at most T1/P + T∞ with its burden.
  range time_on(unsigned processors) const;
  range speedup_on(unsigned processors) const;
};

// Part of a program, under a name: its work and span, summed over all times it is passed, are in the measurement's regions.
// A spawn inside it has its sync inside it, too. Costs next to nothing where nothing is measured. The name must live on.
class region {
 public:
  HEIST_API explicit region(const char* name) noexcept;
  HEIST_API ~region();
  region(const region&) = delete;
  region& operator=(const region&) = delete;

 private:
  const char* const name_;
  detail::cost work_, span_;
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
  auto call = [&] { std::invoke(std::forward<F>(f)); };
  return detail::measure_call([](void* p) { (*static_cast<decltype(call)*>(p))(); }, &call, in);
}

}  // namespace heist
