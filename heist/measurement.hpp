#pragma once
// The result of measure() and HEIST_PROFILE.

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
  // In strands: each counts 1, plus what charge() adds. The same on every schedule, except for loops,
  // which fork by time.
  strand,
};

// Work, span and more of one run, in nanoseconds or in strands.
struct HEIST_TYPE measurement {
  struct part {  // a region: sums over all its passes
    HEIST_OWN_VALUE(part);

    std::string name;
    std::size_t times = 0;
    double work = 0, span = 0, burdened_span = 0;
    double longest = 0;  // the longest span of one pass
    std::size_t forks = 0;

    HEIST_OWN double parallelism() const { return span > 0 ? work / span : 1; }
  };
  struct share {  // of one worker
    std::size_t strands = 0;
    double busy = 0;  // always in nanoseconds
  };
  struct crossing {  // between the machines of a cluster, as the profile of the driver has it
    std::size_t machines = 0;  // those that were there at the end, the driver included; 0: there is no cluster
    std::size_t loans = 0, messages = 0, bytes = 0;  // sent by all of these
  };
  struct range {
    double least, most;
  };

  HEIST_OWN_VALUE(measurement);

  unit in = unit::time;
  double work = 0;           // T1: the sum over all strands
  double span = 0;           // T∞: the longest path
  double burdened_span = 0;  // the same, with `burden` added for each fork on the path
  double burden = 0;         // what a steal costs on this machine
  std::size_t forks = 0;
  std::size_t steals = 0, steal_attempts = 0, suspends = 0;  // of the whole pool during the run
  std::size_t stack_bytes_peak = 0;                          // of the whole pool since it was made
  // The deepest stack of the serial program at its forks, in bytes. That is S1, except for what
  // strands touch below their last fork.
  std::size_t serial_space = 0;
  // For judging how far the times can be trusted. Times are always in nanoseconds here.
  std::size_t short_strands = 0;  // shorter than 100 ns, about what it takes to measure one
  double short_work = 0;          // the part of the work that is in these
  double longest_strand = 0;      // the length of the longest strand
  std::size_t interruptions = 0;  // how often a thread of the process lost its core during the run
  double processor_time = 0;      // of the process during the run
  std::vector<share> workers;
  share elsewhere;    // on other machines, of the work above
  crossing crossed;
  std::vector<part> regions;

  HEIST_OWN double parallelism() const { return span > 0 ? work / span : 1; }
  HEIST_OWN double burdened_parallelism() const { return burdened_span > 0 ? work / burdened_span : 1; }
  // The time on that many workers: at least max(T1/P, T∞), and expected to be at most T1/P plus the
  // burdened span.
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
