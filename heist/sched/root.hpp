#pragma once
// A call of pool::run from outside.

#include <heist/base/export.hpp>
#include <heist/sched/belongings.hpp>
#include <heist/sleep/parking.hpp>
#include <heist/sleep/placement.hpp>
#include <heist/stack/stack.hpp>

#include <atomic>
#include <memory>

HEIST_BEGIN

namespace heist::detail {

class scheduler;

// Lies in the caller's frame, which outlives it: the caller waits.
struct HEIST_VERSIONED root {
  explicit root(void (*body)(root&) noexcept) noexcept : invoke(body) {}

  void (*const invoke)(root&) noexcept;

  enum class stage : unsigned char {
    running,  // the caller does not wait yet
    blocked,  // the root goes on without its caller, who waits on `done`
    ended,
  };
  std::atomic<stage> now{stage::running};
  parking done;
  pthread_t caller{};   // who waits on it
  placement processor;  // where it goes on
  std::unique_ptr<belongings> left;  // what its strand had at its end
};

// The calling thread is not in pool `s`. Returns when the root has ended, on the calling thread.
HEIST_API void run_root(scheduler& s, root& r);

}  // namespace heist::detail

HEIST_END
