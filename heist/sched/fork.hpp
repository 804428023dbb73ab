#pragma once
// What the templates of join and scope call when a fork meets a thief.

#include <heist/base/export.hpp>
#include <heist/strand/job.hpp>
#include <heist/strand/worker.hpp>

#include <cstdint>
#include <exception>

HEIST_BEGIN

namespace heist::detail {

// How a branch that was left to thieves came back.
enum class ending : unsigned char { ours, done, failed };

// Its forker, after take_back() said no: the branch is ours after all, or was stolen and has ended; until then the
// strand is parked. May return on another thread.
HEIST_API HEIST_COLD ending reclaim(job& branch) noexcept;
// The same after the first branch threw: what the second added to reducers is dropped.
HEIST_API HEIST_COLD ending renounce(job& branch) noexcept;

// Its thief: `outcome` is job::done or job::failed. Returns the forker's stack, to be gone on with, if it waits; or
// null. Touch nothing of the branch afterwards.
HEIST_API HEIST_COLD stack* finish(job& branch, std::uintptr_t outcome) noexcept;

// At a seat: the job it has just stolen. Returns a stack to go on with, or null.
stack* run_stolen(job& j) noexcept;

// In a catch (...): the exception, to be carried to another stack. One that cannot be carried (foreign, or a thread's
// cancellation) ends the program with a sentence.
HEIST_API HEIST_COLD std::exception_ptr carry_exception() noexcept;
// In a catch (...): it is a heist::cancelled.
bool handles_cancelled() noexcept;

}  // namespace heist::detail

HEIST_END
