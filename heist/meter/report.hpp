#pragma once
// A clock's figures as a measurement, and a measurement as text.

#include <heist/base/export.hpp>
#include <heist/base/origin.hpp>
#include <heist/measurement.hpp>
#include <heist/meter/clock.hpp>

#include <string>

HEIST_BEGIN

namespace heist::detail {

// What the clock says, in the measurement's units. Busy times are in ticks before, and in nanoseconds afterwards.
void describe(const strand_clock& total, measurement& m);

// For people, or as one JSON object: what came out, and of which run. The command has the text made here, too, of the
// JSON that it has read.
HEIST_API std::string as_text(const measurement& m, const origin& from);
std::string as_json(const measurement& m, const origin& from);

}  // namespace heist::detail

HEIST_END
