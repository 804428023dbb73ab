#pragma once
// A clock's figures as a measurement, and a measurement as text.

#include <heist/base/export.hpp>
#include <heist/base/origin.hpp>
#include <heist/measurement.hpp>
#include <heist/meter/clock.hpp>

#include <cstddef>
#include <string>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// How often threads of the process have lost their cores, in how much time of theirs, since it began.
struct interruptions {
  std::size_t times = 0;
  double processor_time = 0;  // in nanoseconds

  static interruptions until_now() noexcept;
};

// What the clock says, in the measurement's units, and what has happened since `before`. Busy times are in ticks before, and in
// nanoseconds afterwards.
void describe(const strand_clock& total, const interruptions& before, measurement& m);

// Why a figure of a measurement cannot be trusted, which one, and what to do.
struct HEIST_VERSIONED doubt {
  std::string seen, figures, remedy;
};
HEIST_API std::vector<doubt> doubts(const measurement& m);

// For people, or as one JSON object: what came out, and of which run. The command has the text made here, too, of the
// JSON that it has read.
HEIST_API std::string as_text(const measurement& m, const origin& from);
std::string as_json(const measurement& m, const origin& from);

}  // namespace heist::detail

HEIST_END
