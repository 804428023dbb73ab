#include <heist/sched/scope_limit.hpp>
#include <heist/sched/unwanted.hpp>

namespace heist::detail {

std::unique_ptr<limited_child> scope_limit::enter(std::unique_ptr<limited_child> child) {
  const std::lock_guard hold(lock_);
  if (free_ == 0) {
    waiting_.push_back(std::move(child));
    return nullptr;
  }
  --free_;
  return child;
}

void scope_limit::run(std::unique_ptr<limited_child> child) {
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

std::unique_ptr<limited_child> scope_limit::next() noexcept {
  const std::lock_guard hold(lock_);
  if (waiting_.empty()) {
    ++free_;
    return nullptr;
  }
  std::unique_ptr<limited_child> child = std::move(waiting_.front());
  waiting_.pop_front();
  return child;
}

void scope_limit::leave() noexcept {
  std::deque<std::unique_ptr<limited_child>> dropped;
  const std::lock_guard hold(lock_);
  ++free_;
  dropped.swap(waiting_);
}

}  // namespace heist::detail
