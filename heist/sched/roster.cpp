#include <heist/sched/roster.hpp>

namespace heist::detail {

void roster::want(unsigned workers) noexcept {
  workers_.store(workers, std::memory_order_relaxed);
  reckon();
}

bool roster::begin_block() noexcept {
  if (blocked_ >= most_blocked_) return false;
  ++blocked_;
  reckon();
  return true;
}

void roster::end_block() noexcept {
  --blocked_;
  reckon();
}

bool roster::begin_relief(unsigned lent) noexcept {
  if (relieved_ >= lent) return false;
  ++relieved_;
  reckon();
  return true;
}

void roster::end_relief() noexcept {
  if (relieved_ == 0) return;
  --relieved_;
  reckon();
}

void roster::enter() noexcept {
  serving_.store(serving() + 1, std::memory_order_relaxed);
  reckon();
}

bool roster::leave() noexcept {
  if (!too_many()) return false;
  serving_.store(serving() - 1, std::memory_order_relaxed);
  reckon();
  return true;
}

pool_thread* roster::recall() noexcept {
  if (reserve_.empty()) return nullptr;
  pool_thread* const t = reserve_.back();
  reserve_.pop_back();
  return t;
}

void roster::reckon() noexcept {
  const unsigned wanted = workers() + extra();
  surplus_.store(serving() > wanted ? serving() - wanted : 0, std::memory_order_relaxed);
}

}  // namespace heist::detail
