#pragma once
// The ring: operations that the kernel carries out while their strands are parked. See README.md.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/sched/wait.hpp>
#include <heist/sleep/inheritance.hpp>
#include <heist/wait/wait_queue.hpp>

#include <liburing.h>

#include <atomic>
#include <cstdint>
#include <stop_token>

HEIST_BEGIN

namespace heist::detail {

class operation;

// What the ring's thread is asked to do.
struct ring_request {
  operation* of = nullptr;
  ring_request* next = nullptr;
};

// What the ring's thread has been asked for, and whether it must be woken.
class ring_requests {
 public:
  // Before any other: an eventfd, which wakes the thread.
  void wake_by(int bell) noexcept { bell_ = bell; }

  // Any thread. From here on `r` may be gone.
  void put(ring_request& r) noexcept;
  // The ring's thread: all of them, oldest first.
  ring_request* take() noexcept;
  // The ring's thread. False if there is something to do; else it must be woken.
  bool lie_down() noexcept;

 private:
  ring_request* asleep() noexcept { return &asleep_; }

  // Null: none, and the thread will look by itself; asleep(): none, and it must be woken; else the last one.
  std::atomic<ring_request*> last_{nullptr};
  ring_request asleep_;
  int bell_ = -1;
};

// One call on its way through the kernel; lives in the frame of the strand that waits for it.
class operation {
 public:
  operation() noexcept = default;
  operation(const operation&) = delete;
  operation& operator=(const operation&) = delete;

  // What the kernel is asked for; io_uring_prep_… fills it.
  io_uring_sqe entry{};

  // After ring::perform(): at least 0, or minus an error number. ETIMEDOUT and ECANCELED mean that it was ended by its
  // deadline or by a stop; EINTR, that it should be tried again.
  int result() const noexcept;

 private:
  friend class ring;

  enum class stage : unsigned char {
    open,      // the kernel has not answered
    stopping,  // somebody wants it cancelled
    over,      // the kernel has answered, and nobody wanted that
  };
  std::atomic<stage> now_{stage::open};
  waking why_ = waking::event;  // if it was cancelled
  ring_request begin_{this}, stop_{this};
  // Of the ring's thread, until the strand is resumed.
  int answer_ = 0;
  bool answered_ = false, stop_seen_ = false;
  wait rest_{"input or output"};
};

class ring {
 public:
  // Any thread. Null if the kernel refuses a ring, or the variable HEIST_IO asks for plain system calls. Made at first
  // use and never destroyed; a child of fork() makes its own. Throws std::invalid_argument if the variable is wrong.
  static ring* get();

  // The strand, or a thread outside every pool: waits until the kernel has done it, or has given it up because the
  // deadline is over or a stop was requested. A strand may return on another thread.
  void perform(operation& o, nanoseconds deadline, const std::stop_token& token) noexcept;

 private:
  static constexpr int starting = 0, refused = 1, working = 2;  // state_

  ring() noexcept = default;
  static ring* make();
  bool start();

  // Any thread.
  void cancel(operation& o, waking why) noexcept;

  // The ring's thread only.
  bool open() noexcept;
  void serve() noexcept;
  void begin(ring_request* all) noexcept;
  void listen() noexcept;
  io_uring_sqe& next_entry() noexcept;
  void enter(unsigned least) noexcept;
  void reap() noexcept;
  void end(operation& o, int answer) noexcept;

  ring_requests requests_;
  inheritance mine_;
  io_uring kernel_{};
  int bell_ = -1;  // an eventfd, which wakes the thread
  std::uint64_t rings_ = 0;
  bool listening_ = false;  // the kernel reads the bell
  std::atomic<int> state_{starting};
};

}  // namespace heist::detail

HEIST_END
