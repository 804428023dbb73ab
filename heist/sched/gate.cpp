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

// Under lock_. Null if nobody waits, or there is no place.
gate::waiting* gate::admit_next() noexcept {
  waiting* const next = first_;
  if (next == nullptr || inside_ >= most_) return nullptr;
  ++inside_;
  first_ = next->behind;
  return next;
}

void gate::call(waiting& next) const noexcept {
  if (placed_ == heist::placement::all) next.processor.send(next.thread, spot::beside);
  next.bed.post();
}

void gate::leave() noexcept {
  if (open()) return;
  waiting* next;
  {
    const std::lock_guard hold(lock_);
    --inside_;
    next = admit_next();
  }
  if (next != nullptr) call(*next);
}

void gate::resize(unsigned most) noexcept {
  auto admitted = [&]() -> waiting* {
    const std::lock_guard hold(lock_);
    most_ = most;
    return admit_next();
  };
  while (waiting* const next = admitted()) call(*next);
}

}  // namespace heist::detail
