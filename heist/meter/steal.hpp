#pragma once
// What a steal costs on this machine.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>

HEIST_BEGIN

namespace heist::detail {

// The thief's time in a steal from an owner that forks all the time, from its request to its claim: the median of some. A guess
// where no second thread is to be had.
nanoseconds measure_steal();

}  // namespace heist::detail

HEIST_END
