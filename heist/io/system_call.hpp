#pragma once
// A call of the system's, and the ways to carry it out: at once, by the ring, or by a thread that blocks. See
// README.md.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/blocking.hpp>
#include <heist/wait/deadline.hpp>

#include <liburing.h>

#include <stop_token>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// What ends a call early.
struct limits {
  nanoseconds deadline = never;
  std::stop_token stop;

  bool any() const noexcept { return deadline != never || stop.stop_possible(); }
};

// All results are at least 0, or minus an error number.
class system_call {
 public:
  // `awaited`: for what the descriptor must be polled before the call can be done; 0 for what does not depend on that.
  system_call(int descriptor, short awaited) noexcept : fd(descriptor), events(awaited) {}
  system_call(const system_call&) = delete;
  system_call& operator=(const system_call&) = delete;

  // Does it if that takes no waiting. EAGAIN: it would; EOPNOTSUPP: one cannot know.
  virtual int at_once() const noexcept;
  // Does it, and may block.
  virtual int plain() const noexcept = 0;
  // Does it when the descriptor is ready, and does not block as far as that can be helped.
  virtual int impatient() const noexcept;
  // For the ring.
  virtual void prepare(io_uring_sqe& e) const noexcept = 0;
  // Whether the result means: when the descriptor is ready, again.
  virtual bool not_yet(int result) const noexcept;

  const int fd;
  const short events;

 protected:
  ~system_call() = default;
};

// Does it. A strand is parked meanwhile, if there is a ring, and may return on another thread.
int perform(const system_call& c, const limits& l);

// Blocks until the descriptor is ready, and returns for what; or ETIMEDOUT, ECANCELED.
int await_ready(int fd, short events, const limits& l) noexcept;

// Calls f, which may block, in the strand's thread.
template <class F>
auto blocking_call(F&& f) {
  return blocking(std::forward<F>(f));
}

}  // namespace heist::detail

HEIST_END
