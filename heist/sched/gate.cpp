#include <heist/sched/gate.hpp>
#include <heist/sleep/parking.hpp>
#include <heist/sleep/placement.hpp>

#include <pthread.h>

namespace heist::detail {

// Lives in the caller's frame.
struct gate::waiting {
  parking bed;
  pthread_t thread = ::pthread_self();
  placement processor;
  waiting* behind = nullptr;
};

void gate::enter() noexcept {
  if (open()) return;
  waiting me;
  {
    const std::lock_guard hold(lock_);
    if (inside_ < most_ && first_ == nullptr) {
      ++inside_;
      return;
    }
    (first_ == nullptr ? first_ : last_->behind) = &me;
    last_ = &me;
  }
  me.bed.wait();
  me.processor.arrive();
}

void gate::leave() noexcept {
  if (open()) return;
  waiting* next;
  {
    const std::lock_guard hold(lock_);
    next = first_;
    if (next == nullptr) {
      --inside_;
      return;
    }
    first_ = next->behind;  // our place is theirs
  }
  if (placed_ == heist::placement::all) next->processor.send(next->thread, spot::beside);
  next->bed.post();
}

}  // namespace heist::detail
