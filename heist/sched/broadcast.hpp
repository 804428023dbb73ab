#pragma once
// A function that every worker of a pool runs once: pool::broadcast.

#include <heist/base/export.hpp>

HEIST_BEGIN

namespace heist::detail {

class scheduler;

// Calls call(function, k) at worker k, for all k. Not in the pool. Returns when all have ended, and throws what the one with
// the smallest number has thrown. A worker is left out if its thread cannot be started, or has left meanwhile.
HEIST_API void broadcast_in(scheduler& pool, void (*call)(void*, unsigned), void* function);

}  // namespace heist::detail

HEIST_END
