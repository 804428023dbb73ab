#include <heist/sched/scope_limit.hpp>
#include <heist/sched/unwanted.hpp>

namespace heist::detail {

scope_limit::~scope_limit() { drop(first_); }

sole<limited_child> scope_limit::enter(sole<limited_child> child) {
  const std::lock_guard hold(lock_);
  if (free_ == 0) {
    limited_child* const waits = child.release();
    (last_ == nullptr ? first_ : last_->after) = waits;
    last_ = waits;
    return nullptr;
  }
  --free_;
  return child;
}

void scope_limit::run(sole<limited_child> child) {
  try {
    for (; child != nullptr; child = next()) {
      stop_if_unwanted();
      child->run();
    }
  } catch (...) {
    leave();
    throw;
  }
}

sole<limited_child> scope_limit::next() noexcept {
  const std::lock_guard hold(lock_);
  if (first_ == nullptr) {
    ++free_;
    return nullptr;
  }
  sole<limited_child> child(first_);
  first_ = child->after;
  if (first_ == nullptr) last_ = nullptr;
  return child;
}

void scope_limit::leave() noexcept {
  limited_child* dropped;
  {
    const std::lock_guard hold(lock_);
    ++free_;
    dropped = std::exchange(first_, nullptr);
    last_ = nullptr;
  }
  drop(dropped);  // what children hold may do anything when it goes
}

void scope_limit::drop(limited_child* first) noexcept {
  while (first != nullptr) delete std::exchange(first, first->after);
}

}  // namespace heist::detail
