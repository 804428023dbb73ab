#pragma once
// A call of pool::run from outside.

#include <heist/base/export.hpp>
#include <heist/sleep/parking.hpp>
#include <heist/stack/stack.hpp>

#include <atomic>

namespace heist::detail {

class scheduler;

// Lies in the caller's frame, which outlives it: the caller waits.
struct root : assignment {
  explicit root(void (*body)(root&) noexcept) noexcept : assignment{&root::start}, invoke(body) {}

  void (*const invoke)(root&) noexcept;
  parking done;                            // posted if the root ended on another thread than its caller's
  std::atomic<bool> ended_at_home{false};  // set if it ended on its caller's

 private:
  static stack* start(assignment& self) noexcept;
};

// The calling thread is not in pool `s`. Returns when the root has ended, on the calling thread.
HEIST_API void run_root(scheduler& s, root& r);

}  // namespace heist::detail
