#pragma once
// Time that a thread spent waiting for a processor, which is no strand's. See README.md, "What can be trusted".

#include <heist/base/export.hpp>

#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

// For how many nanoseconds the calling thread was ready to run and did not, since it called this before. 0 if the kernel
// does not say.
std::uint64_t time_preempted() noexcept;

}  // namespace heist::detail

HEIST_END
