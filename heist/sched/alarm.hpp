#pragma once
// While an alarm is on, a pool's strands check whether they are still wanted. See protocols/unwanted.md.

#include <heist/base/cell.hpp>
#include <heist/base/export.hpp>
#include <heist/sched/victims.hpp>
#include <heist/sleep/short_lock.hpp>
#include <heist/stack/stack.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>

HEIST_BEGIN

namespace heist::detail {

class alarm {
 public:
  explicit alarm(victim_list& victims) noexcept : victims_(victims) {}

  // Any thread. The alarm is on from the first begin() to the last end(). Call sound() after
  // something has made strands unwanted: it sends every worker's next fork down the slow path, and
  // wakes strands that wait and are unwanted.
  // order[alarm.park]: before a branch's word is read
  void begin() noexcept { on_.fetch_add(1, std::memory_order_seq_cst); }
  void sound() noexcept;
  void end() noexcept { on_.fetch_sub(1, std::memory_order_relaxed); }

  const std::atomic<int>& count() const noexcept { return on_; }

  // A strand that waits, for as long as it may be woken because it is unwanted. Lives in its frame.
  class listener {
   public:
    // `wake(argument)` is called at most once, under a lock, on some thread; perhaps at once.
    listener(alarm& of, part strand, void (*wake)(void*) noexcept, void* argument) noexcept;
    // From here on it is not called, and does not run.
    ~listener();
    listener(const listener&) = delete;
    listener& operator=(const listener&) = delete;

   private:
    friend class alarm;

    alarm& of_;
    const part strand_;
    void (*const wake_)(void*) noexcept;
    void* const argument_;
    bool woken_ = false;
    listener *before_ = nullptr, *after_ = nullptr;
  };

 private:
  // Of many, so that strands that wait at the same time seldom meet.
  struct alignas(cache_line) listeners {
    short_lock lock;
    listener* first = nullptr;

    void wake_unwanted() noexcept;
  };
  listeners& of(const listener& l) noexcept {
    // Stacks are regular: the same frame of two strands must not always meet.
    return listeners_[reinterpret_cast<std::uintptr_t>(&l) * 0x9E3779B97F4A7C15u >> 60];
  }

  victim_list& victims_;
  std::atomic<int> on_{0};  // branches and scopes whose strands may be unwanted
  listeners listeners_[16];
};

}  // namespace heist::detail

HEIST_END
