#include <heist/sched/injector.hpp>

#include <algorithm>
#include <utility>

namespace heist::detail {

// model: idle.pml, injecting()
void injector::put(item i) {
  const std::lock_guard hold(lock_);
  items_.push_back(i);
  if (i.held != nullptr) i.held->item = &items_.back();
  // order[idle.count]: before the caller asks who searches; a worker that lies down reads it after it is listed
  size_.fetch_add(1, std::memory_order_seq_cst);
}

injector::item injector::take(const void* scope) noexcept {
  if (empty()) return {};
  const std::lock_guard hold(lock_);
  const auto first = find(scope);
  if (first == items_.end()) return {};
  return remove(*first);
}

injector::item injector::take(ticket& t) noexcept {
  const std::lock_guard hold(lock_);
  return t.item != nullptr ? remove(*static_cast<item*>(t.item)) : item{};
}

// Under lock_. Others stay where they are: tickets point to them.
injector::item injector::remove(item& i) noexcept {
  const item taken = std::exchange(i, {});
  if (taken.held != nullptr) taken.held->item = nullptr;
  while (!items_.empty() && items_.front().what == nullptr) items_.pop_front();
  while (!items_.empty() && items_.back().what == nullptr) items_.pop_back();
  size_.fetch_sub(1, std::memory_order_relaxed);  // under lock_; a stale size only causes a fruitless look
  return taken;
}

bool injector::has(const void* scope) noexcept {
  const std::lock_guard hold(lock_);
  return find(scope) != items_.end();
}

std::deque<injector::item>::iterator injector::find(const void* scope) noexcept {
  auto wanted = [&](const item& i) { return i.what != nullptr && (scope == nullptr || i.of == scope); };
  return std::find_if(items_.begin(), items_.end(), wanted);
}

}  // namespace heist::detail
