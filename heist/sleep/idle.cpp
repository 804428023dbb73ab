#include <heist/base/chaos.hpp>
#include <heist/sleep/idle.hpp>

namespace heist::detail {

// model: idle.pml, add_asleep()
void idle::add_asleep(sleeper& s) noexcept {
  const std::lock_guard hold(lock_);
  s.next = asleep_;
  asleep_ = &s;
  // order[idle.count]: listed before the caller asks for signs and looks again
  sleeping_.fetch_add(1, std::memory_order_seq_cst);
}

// model: idle.pml, lie_down()
void idle::lie_down(sleeper& s) noexcept {
  add_asleep(s);
  chaos::step(chaos::at::listed);
  // order[idle.count]: listed first: a pusher that sees no searcher must find the sleeper
  searching_.fetch_sub(1, std::memory_order_seq_cst);
}

// model: idle.pml, get_up()
bool idle::get_up(sleeper& s) noexcept {
  const std::lock_guard hold(lock_);
  for (sleeper** p = &asleep_; *p != nullptr; p = &(*p)->next) {
    if (*p != &s) continue;
    *p = s.next;
    sleeping_.fetch_sub(1, std::memory_order_relaxed);  // under lock_; a stale count only makes somebody ask in vain
    begin_search();
    return true;
  }
  return false;
}

sleeper* idle::pop() noexcept {
  sleeper* const s = asleep_;
  if (s == nullptr) return nullptr;
  asleep_ = s->next;
  sleeping_.fetch_sub(1, std::memory_order_relaxed);  // as in get_up()
  return s;
}

// model: idle.pml, rouse_one()
sleeper* idle::rouse() noexcept {
  if (!anybody_asleep() || searching() > 0) return nullptr;
  chaos::step(chaos::at::rousing);
  const std::lock_guard hold(lock_);
  // Asked again under the lock, under which a roused sleeper begins to count: of many pushers one rouses.
  if (searching() > 0) return nullptr;
  sleeper* const s = pop();
  if (s != nullptr) begin_search();
  return s;
}

// model: idle.pml, take_seat()
sleeper* idle::borrow() noexcept {
  if (!anybody_asleep()) return nullptr;
  const std::lock_guard hold(lock_);
  return pop();
}

}  // namespace heist::detail
