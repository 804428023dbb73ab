#include <heist/sched/alarm.hpp>
#include <heist/sched/unwanted.hpp>

namespace heist::detail {

void alarm::sound() noexcept {
  victims_.read().for_each([](seat& s) { s.ask(request::look); });
  for (listeners& some : listeners_) {
    const std::lock_guard hold(some.lock);
    some.wake_unwanted();
  }
}

// Under the lock: so the strands, and what they are parts of, exist.
void alarm::listeners::wake_unwanted() noexcept {
  for (listener* l = first; l != nullptr; l = l->after_) {
    if (l->woken_ || !is_unwanted(l->strand_)) continue;
    l->woken_ = true;
    l->wake_(l->argument_);
  }
}

// If the alarm sounded before the strand was in the list, the strand has seen what made it unwanted: both hold the lock.
alarm::listener::listener(alarm& of, part strand, void (*wake)(void*) noexcept, void* argument) noexcept
    : of_(of), strand_(strand), wake_(wake), argument_(argument) {
  listeners& mine = of_.of(*this);
  const std::lock_guard hold(mine.lock);
  after_ = mine.first;
  if (after_ != nullptr) after_->before_ = this;
  mine.first = this;
  if (of_.on_.load(std::memory_order_relaxed) > 0) mine.wake_unwanted();
}

alarm::listener::~listener() {
  listeners& mine = of_.of(*this);
  const std::lock_guard hold(mine.lock);
  (before_ == nullptr ? mine.first : before_->after_) = after_;
  if (after_ != nullptr) after_->before_ = before_;
}

}  // namespace heist::detail
