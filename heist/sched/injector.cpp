#include <heist/sched/injector.hpp>

#include <algorithm>

namespace heist::detail {

// model: idle.pml, injecting()
void injector::put(item i) {
  const std::lock_guard hold(lock_);
  items_.push_back(i);
  // order[idle.count]: before the caller asks who searches; a worker that lies down reads it after it is listed
  size_.fetch_add(1, std::memory_order_seq_cst);
}

injector::item injector::take(const void* scope) noexcept {
  if (empty()) return {};
  const std::lock_guard hold(lock_);
  const auto first = find(scope);
  if (first == items_.end()) return {};
  const item i = *first;
  items_.erase(first);
  size_.fetch_sub(1, std::memory_order_relaxed);  // under lock_; a stale size only causes a fruitless look
  return i;
}

bool injector::has(const void* scope) noexcept {
  const std::lock_guard hold(lock_);
  return find(scope) != items_.end();
}

std::deque<injector::item>::iterator injector::find(const void* scope) noexcept {
  return std::find_if(items_.begin(), items_.end(), [&](const item& i) { return scope == nullptr || i.of == scope; });
}

}  // namespace heist::detail
