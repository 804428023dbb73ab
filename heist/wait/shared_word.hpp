#pragma once
// The word of a shared mutex, and its two queues. Protocol: README.md, "The shared mutex".

#include <heist/base/export.hpp>
#include <heist/race/strands.hpp>
#include <heist/wait/deadline.hpp>
#include <heist/wait/lock_watch.hpp>
#include <heist/wait/wait_queue.hpp>

#include <atomic>
#include <stop_token>

HEIST_BEGIN

namespace heist::detail {

class HEIST_VERSIONED shared_word {
 public:
  constexpr shared_word() noexcept = default;
  shared_word(const shared_word&) = delete;
  shared_word& operator=(const shared_word&) = delete;
#if defined(HEIST_RACE)
  ~shared_word() { race::retired(this); }
#endif

  bool try_alone() noexcept {
    unsigned seen = free;
    // order[shared_mutex.hand]: what all former holders wrote
    if (!state_.compare_exchange_strong(seen, alone, std::memory_order_acquire, std::memory_order_relaxed)) return false;
    lock_watch::taken(this);
    return true;
  }
  void end_alone() noexcept {
    lock_watch::released(this);
    unsigned seen = alone;
    // order[shared_mutex.hand]: for the next holders
    if (!state_.compare_exchange_strong(seen, free, std::memory_order_release, std::memory_order_relaxed)) [[unlikely]]
      end_alone_slowly();
  }
  bool try_shared() noexcept {
    unsigned seen = state_.load(std::memory_order_relaxed);
    while ((seen & (alone | queued)) == 0)
      // order[shared_mutex.hand]: what the last one that had it alone wrote
      if (state_.compare_exchange_weak(seen, seen + one, std::memory_order_acquire, std::memory_order_relaxed)) {
        lock_watch::taken(this, holding::shared);
        return true;
      }
    return false;
  }
  void end_shared() noexcept {
    lock_watch::released(this, holding::shared);
    unsigned seen = state_.load(std::memory_order_relaxed);
    while (seen != (one | queued))
      // order[shared_mutex.hand]: for the next that has it alone
      if (state_.compare_exchange_weak(seen, seen - one, std::memory_order_release, std::memory_order_relaxed)) return;
    end_shared_slowly();
  }

  // After a try that failed. `event`: the caller has it.
  HEIST_API waking wait_alone(nanoseconds deadline, const std::stop_token& token) noexcept;
  HEIST_API waking wait_shared(nanoseconds deadline, const std::stop_token& token) noexcept;

 private:
  HEIST_API void end_alone_slowly() noexcept;
  HEIST_API void end_shared_slowly() noexcept;
  bool is_queued() const noexcept { return (state_.load(std::memory_order_relaxed) & queued) != 0; }
  bool take_alone_or_queue() noexcept;
  bool take_shared_or_queue() noexcept;
  unsigned admit_shared(woken_list& woken) noexcept;
  unsigned admit_alone(woken_list& woken) noexcept;
  unsigned still_queued() const noexcept;
  void admit_after_leaving() noexcept;

  // The state is free, alone, or a number of holders times `one`; and queued.
  static constexpr unsigned free = 0;
  static constexpr unsigned alone = 1;
  static constexpr unsigned queued = 2;  // there may be waiters
  static constexpr unsigned one = 4;     // that shares it

  std::atomic<unsigned> state_{free};
  wait_queue for_alone_, for_shared_;
};

}  // namespace heist::detail

HEIST_END
