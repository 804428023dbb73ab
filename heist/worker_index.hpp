#pragma once
// worker_index: where the calling strand runs.

#include <heist/base/export.hpp>

#include <cstddef>

HEIST_BEGIN

namespace heist {

// What worker_index() returns outside every pool.
inline constexpr std::size_t no_worker = ~std::size_t{0};

// The number of the seat at which the calling strand runs, in its pool. Two strands that run at the same moment in one pool
// have different numbers. Most are below pool::workers(); but strands that wait keep their seats, and callers bring their
// own, so do not use it as an index into an array of that length: use heist::per_worker. It is good until the next fork or
// wait, after which the strand may be at another seat. A loop of one element, or below its grain, runs on the caller, which
// may be outside every pool.
[[nodiscard]] HEIST_API std::size_t worker_index() noexcept;

}  // namespace heist

HEIST_END
