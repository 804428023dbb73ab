#pragma once
// How a worker answers what others ask of it: at a fork whose push goes past the deque's limit.

#include <heist/base/export.hpp>
#include <heist/strand/worker.hpp>

HEIST_BEGIN

namespace heist::detail {

// Owner only: the last push went past the limit. On return the item may be popped by take_back_fenced() only.
HEIST_API HEIST_COLD void tripped(worker& w) noexcept;

}  // namespace heist::detail

HEIST_END
