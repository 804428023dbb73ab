#include <heist/sched/scheduler.hpp>
#include <heist/sched/timers.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace heist::detail {

timers::~timers() {
  {
    const std::lock_guard hold(lock_);
    stopping_ = true;
  }
  if (!thread_.joinable()) return;
  bed_.post();
  thread_.join();
}

// Called by the thread itself, too, which may hold the lock.
bool timers::wake() noexcept {
  // order[timers.start]: the thread is there
  if (!started_.load(std::memory_order_acquire)) {
    const std::lock_guard hold(lock_);
    try {
      start();
    } catch (const std::exception&) {
      return false;
    }
  }
  bed_.post();
  return true;
}

void timers::start() {
  if (thread_.joinable()) return;
  thread_ = pool_.seats.inherited().start("heist-timer", [this] { thread_main(); });
  // order[timers.start]: for those that do not take the lock
  started_.store(true, std::memory_order_release);
}

void timers::add(timer& e) {
  start();
  heap_.push_back(&e);
  ++added_;
  rise(e, heap_.size() - 1);
}

void timers::remove(timer& e) noexcept {
  timer& last = *heap_.back();
  heap_.pop_back();
  const std::size_t place = e.place_;
  e.place_ = timer::none;
  if (&last == &e) return;
  rise(last, place);
  if (last.place_ == place) sink(last, place);
}

void timers::put(timer& e, std::size_t place) noexcept {
  heap_[place] = &e;
  e.place_ = place;
}

void timers::rise(timer& e, std::size_t place) noexcept {
  while (place > 0 && e.deadline_ < heap_[(place - 1) / 2]->deadline_) {
    put(*heap_[(place - 1) / 2], place);
    place = (place - 1) / 2;
  }
  put(e, place);
}

void timers::sink(timer& e, std::size_t place) noexcept {
  for (;;) {
    std::size_t child = 2 * place + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && heap_[child + 1]->deadline_ < heap_[child]->deadline_) ++child;
    if (e.deadline_ <= heap_[child]->deadline_) break;
    put(*heap_[child], place);
    place = child;
  }
  put(e, place);
}

// Calls those whose time has come, and returns the next deadline.
nanoseconds timers::ring() noexcept {
  while (!heap_.empty()) {
    timer& first = *heap_.front();
    if (first.deadline_ > now()) return first.deadline_;
    remove(first);
    first.late_(first.argument_);
  }
  return never;
}

void timers::thread_main() noexcept {
  std::size_t seen = 0;
  for (;;) {
    nanoseconds until;
    {
      const std::lock_guard hold(lock_);
      if (stopping_) return;
      until = std::min({ring(), pool_.turns.look(), pool_.feedback.look()});
      // Those that are gone already come again: a loop of short calls must not wake us for each.
      if (until == never && std::exchange(seen, added_) != added_) until = now() + nap;
      awake_at_ = until;
    }
    if (until == never)
      bed_.wait();
    else
      bed_.wait_for(until - now());
  }
}

}  // namespace heist::detail
