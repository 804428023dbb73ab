#include <heist/mutex.hpp>
#include <heist/sched/scheduler.hpp>

namespace heist {

using namespace detail;

// A strand, or a thread outside of every pool, that waits; lies in its frame.
struct mutex::waiting {
  mutex* wanted;
  parked_strand* strand = nullptr;
  parking* bed = nullptr;
  waiting* behind = nullptr;
};

// True: the lock was free by now and is ours.
bool mutex::enlist(waiting& w) noexcept {
  const std::lock_guard hold(lock_);
  // order[mutex.hand]: what the former holder wrote
  if (state_.exchange(wanted, std::memory_order_acquire) == free) return true;
  (first_ == nullptr ? first_ : last_->behind) = &w;
  last_ = &w;
  return false;
}

void mutex::lock_slowly() noexcept {
  if (this_worker() != nullptr) {
    parked_strand strand;
    waiting me{.wanted = this, .strand = &strand};
    // Listed when the stack is complete: who unlocks may have it resumed at once.
    const bool left = suspend(
        [](void* p) -> stack* {
          auto& w = *static_cast<waiting*>(p);
          stack& mine = *w.strand->parked;
          return w.wanted->enlist(w) ? resumed(mine) : nullptr;
        },
        &me);
    if (left) return;
  }
  parking bed;
  waiting me{.wanted = this, .bed = &bed};
  if (!enlist(me)) bed.wait();
}

void mutex::unlock_slowly() noexcept {
  waiting* next;
  {
    const std::lock_guard hold(lock_);
    next = first_;
    if (next == nullptr) {
      // order[mutex.hand]: for the next holder
      state_.store(free, std::memory_order_release);
      return;
    }
    first_ = next->behind;
  }
  // It is handed over: state_ stays as it is. *this may be gone as soon as the next holder runs.
  if (next->bed != nullptr)
    next->bed->post();
  else
    next->strand->inject();
}

}  // namespace heist
