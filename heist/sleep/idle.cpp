#include <heist/check/chaos.hpp>
#include <heist/sleep/idle.hpp>

namespace heist::detail {

// model: idle.pml, add_asleep()
void idle::add_asleep(sleeper& s, rest how) noexcept {
  const std::lock_guard hold(lock_);
  s.napping = how == rest::nap;
  s.next = asleep_;
  asleep_ = &s;
  // order[idle.count]: listed before the caller asks for wake-ups and looks again
  sleeping_.fetch_add(1, std::memory_order_seq_cst);
}

// model: idle.pml, lie_down()
void idle::lie_down(sleeper& s, rest how) noexcept {
  add_asleep(s, how);
  chaos::step(chaos::at::listed);
  // order[idle.count]: listed first: a pusher that sees no searcher must find the sleeper
  searching_.fetch_sub(1, std::memory_order_seq_cst);
}

// model: idle.pml, thread()
void idle::end_nap(sleeper& s) noexcept {
  const std::lock_guard hold(lock_);
  s.napping = false;
}

template <class Wanted>
sleeper* idle::take_out(Wanted wanted) noexcept {
  for (sleeper** p = &asleep_; *p != nullptr; p = &(*p)->next) {
    sleeper* const s = *p;
    if (!wanted(*s)) continue;
    *p = s->next;
    sleeping_.fetch_sub(1, std::memory_order_relaxed);  // under lock_; a stale count only causes a fruitless request
    return s;
  }
  return nullptr;
}

// model: idle.pml, get_up()
bool idle::get_up(sleeper& s) noexcept {
  const std::lock_guard hold(lock_);
  if (take_out([&](sleeper& other) { return &other == &s; }) == nullptr) return false;
  begin_search();
  return true;
}

// model: idle.pml, rouse_one()
sleeper* idle::rouse() noexcept {
  if (!anybody_asleep() || searching() > 0) return nullptr;
  chaos::step(chaos::at::rousing);
  const std::lock_guard hold(lock_);
  // Checked again under the lock, under which a roused sleeper starts to count: of many pushers
  // only one rouses.
  if (searching() > 0) return nullptr;
  sleeper* const s = take_out([](sleeper& other) { return !other.napping; });
  if (s != nullptr) begin_search();
  return s;
}

bool idle::rouse(sleeper& s) noexcept {
  const std::lock_guard hold(lock_);
  if (take_out([&](sleeper& other) { return &other == &s && !other.napping; }) == nullptr) return false;
  begin_search();
  return true;
}

// model: idle.pml, take_seat()
sleeper* idle::borrow() noexcept {
  if (!anybody_asleep()) return nullptr;
  const std::lock_guard hold(lock_);
  return take_out([](sleeper&) { return true; });
}

}  // namespace heist::detail
