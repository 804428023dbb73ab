#pragma once
// Turns a clock's figures into a measurement, and a measurement into text.

#include <heist/base/export.hpp>
#include <heist/base/origin.hpp>
#include <heist/measurement.hpp>
#include <heist/meter/clock.hpp>

#include <cstddef>
#include <string>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// How often threads of the process have lost their cores, and their processor time, since the
// process began.
struct interruptions {
  std::size_t times = 0;
  double processor_time = 0;  // in nanoseconds

  static interruptions until_now() noexcept;
};

// Fills in what the clock says, in the measurement's units, and the interruptions since `before`.
// Converts busy times from ticks to nanoseconds.
void describe(const strand_clock& total, const interruptions& before, measurement& m);

// Why a figure of a measurement cannot be trusted, which one, and what to do.
struct HEIST_VERSIONED doubt {
  std::string seen, figures, remedy;
};
HEIST_API std::vector<doubt> doubts(const measurement& m);

// The result and the run that it came from, for people or as one JSON object. The command also
// makes its text here, from the JSON that it has read.
HEIST_API std::string as_text(const measurement& m, const origin& from);
std::string as_json(const measurement& m, const origin& from);

}  // namespace heist::detail

HEIST_END
