#pragma once
// What measure() and HEIST_PROFILE find out.

#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

HEIST_BEGIN

namespace heist {

// What a measurement counts.
enum class unit : unsigned char {
  time,    // in nanoseconds
  strand,  // in strands, each as one, and what charge() adds: the same on every schedule, but for loops, which fork by time
};

// What a run came to: in nanoseconds, or in strands.
struct HEIST_TYPE measurement {
  struct part {  // of one name: sums over all times it was passed
    HEIST_OWN_VALUE(part);

    std::string name;
    std::size_t times = 0;
    double work = 0, span = 0, burdened_span = 0;
    double longest = 0;  // the span of one time: the longest
    std::size_t forks = 0;

    HEIST_OWN double parallelism() const { return span > 0 ? work / span : 1; }
  };
  struct share {  // of one worker
    std::size_t strands = 0;
    double busy = 0;  // always in nanoseconds
  };
  struct range {
    double least, most;
  };

  HEIST_OWN_VALUE(measurement);

  unit in = unit::time;
  double work = 0;           // T1: all strands
  double span = 0;           // T∞: the longest path
  double burdened_span = 0;  // the same, each fork on the path charged with `burden`
  double burden = 0;         // what a steal costs here
  std::size_t forks = 0;
  std::size_t steals = 0, steal_attempts = 0, suspends = 0;  // of the whole pool in that time
  std::size_t stack_bytes_peak = 0;                          // of the whole pool since it was made
  // How deep the serial program's stack is at its forks, in bytes: S1, but for what strands touch below their last fork.
  std::size_t serial_space = 0;
  std::vector<share> workers;
  std::vector<part> regions;

  HEIST_OWN double parallelism() const { return span > 0 ? work / span : 1; }
  HEIST_OWN double burdened_parallelism() const { return burdened_span > 0 ? work / burdened_span : 1; }
  // The time on so many workers: at least max(T1/P, T∞), and to be expected at most T1/P + T∞ with its burden.
  HEIST_OWN range time_on(unsigned processors) const {
    const double each = work / processors;
    return {std::max(each, span), each + burdened_span};
  }
  HEIST_OWN range speedup_on(unsigned processors) const {
    if (work <= 0) return {1, 1};
    const range t = time_on(processors);
    return {work / t.most, work / t.least};
  }
};

}  // namespace heist

HEIST_END
