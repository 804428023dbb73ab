#pragma once
// A wait for an event: the strand that waits leaves its worker, and takes the seat along while there are jobs of its
// ancestors in it. See protocols/waits.md.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/sleep/parking.hpp>
#include <heist/stack/context.hpp>
#include <heist/strand/strand.hpp>

#include <atomic>

HEIST_BEGIN

namespace heist::detail {

class scheduler;
enum class resumer : bool;
class seat;
class stack;

// Lives in the frame of the strand, or of the thread outside every pool, that waits. One thread makes it and rests;
// another one resumes it, once.
class wait {
 public:
  // `what` it waits for is for traces.
  explicit wait(const char* what = "an event") noexcept : what_(what) {}
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

  // A strand: if others can go on, or jobs were injected, and no worker is free for them, the first of them gets this
  // worker, and the strand queues up behind the last. May return at another seat.
  HEIST_API static void yield() noexcept;
  // The same, at a fork that took the slow path and where the strand might wait; but only when its turn is over, or its
  // thread is one too many: then the strand goes on at another one.
  HEIST_API static void give_way() noexcept;

  // How a strand gives way: because it was asked to, or of its own accord.
  enum class manner : bool { asked, willing };

  // Any thread, when strands can go on, or jobs were injected, and a worker that might have looked does not search any more.
  static void urge(scheduler& pool, resumer who) noexcept;

  // At a worker without a strand, and with an empty deque: continues the strand of a wait that is over. Returns its
  // stack.
  static stack* take_up(wait& over) noexcept;
  // Any thread, when it has found the deque of a seat empty: if its strand waits, the strand no longer needs the seat.
  static void give_up(seat& emptied) noexcept;

 private:
  friend class waits;

  enum class HEIST_VERSIONED_ENUM stage : unsigned char {
    coming,   // the strand has not left yet
    resting,  // whoever resumes it must see that it continues
    over,
  };

  bool over() const noexcept;
  // Both return when the wait is over; park() false, at once, if the strand cannot leave its stack.
  bool park(on_arrival way) noexcept;
  void block(nanoseconds deadline, void (*late)(void*) noexcept, void* argument) noexcept;
  bool come_to_rest() noexcept;
  // Off the strand's stack: the strand has come to wait, or gives way.
  static stack* leave(void* self) noexcept;
  static stack* leave_to_another(void* self) noexcept;
  static stack* leave_thread(void* self) noexcept;
  void queue_up(seat& s) noexcept;
  static void make_way(manner how) noexcept;
  // The strand leaves its seat. True if there were jobs in it: it stays the strand's then.
  bool depart(seat& s) noexcept;

  const char* const what_;
  std::atomic<stage> now_{stage::coming};
  stack* parked_ = nullptr;            // null: the thread waits, on bed_
  std::atomic<seat*> seat_{nullptr};   // the one that the strand has left, with jobs in it; null: none any more
  strand mine_;                        // if there is no seat
  scheduler* pool_ = nullptr;
  const void* root_ = nullptr;  // of the strand: see strand::root
  void (*first_)(void*) noexcept = nullptr;
  void* argument_ = nullptr;
  manner how_ = manner::asked;
  wait* next_ = nullptr;  // in the pool's queue of those that can go on
  parking bed_;
};

}  // namespace heist::detail

HEIST_END
