#pragma once
// A wait for an event: the strand that waits gives its worker up. See README.md, "The life of a wait".

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/sleep/parking.hpp>

#include <atomic>

HEIST_BEGIN

namespace heist::detail {

// Lives in the frame of the strand, or of the thread outside every pool, that waits. One thread makes it and rests;
// another one resumes it, once.
class wait {
 public:
  wait() noexcept = default;
  wait(const wait&) = delete;
  wait& operator=(const wait&) = delete;

  // Returns when resume() has been called, also if that was earlier. A strand may return on another thread.
  void rest() noexcept { rest(nullptr, nullptr); }
  // The same; but first calls `first(argument)`, once the strand has left its stack. That may make others call resume(),
  // or call it itself. It must not wait or fork.
  HEIST_API void rest(void (*first)(void*) noexcept, void* argument) noexcept;
  // The same as rest(); but if resume() has not been called when `deadline` is over, calls `late(argument)` once, on some
  // thread, which may call resume(). After the return it does not run any more.
  HEIST_API void rest_until(nanoseconds deadline, void (*late)(void*) noexcept, void* argument) noexcept;

  // Any thread, once. Touches nothing of *this once the wait may be over.
  HEIST_API void resume() noexcept;

 private:
  parking bed_;
};

}  // namespace heist::detail

HEIST_END
