#pragma once
// Measures the cost of a steal on this machine.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>

HEIST_BEGIN

namespace heist::detail {

// The thief's time for a steal from an owner that forks all the time, from request to claim: the
// median of several. A guess if no second thread can be started.
nanoseconds measure_steal();

}  // namespace heist::detail

HEIST_END
