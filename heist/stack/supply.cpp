#include <heist/base/chaos.hpp>
#include <heist/stack/supply.hpp>

#include <algorithm>
#include <mutex>

namespace heist::detail {

stack_supply::~stack_supply() {
  for (stack* s = all_; s != nullptr;) {
    stack* const older = s->older;
    stack::unmap(s);
    s = older;
  }
}

void stack_supply::enlist(stack_cache& c) {
  const std::lock_guard hold(lock_);
  caches_.push_back(&c);
}

stack* stack_supply::take() noexcept {
  chaos::step(chaos::at::stack_wanted);
  {
    const std::lock_guard hold(lock_);
    if (stack* const s = spare_) {
      spare_ = s->next.get();
      --spares_;
      count_live();
      return s;
    }
  }
  stack* const s = stack::map(stack_size_);
  if (s == nullptr) return nullptr;
  s->tsan_release_made();
  const std::lock_guard hold(lock_);
  s->older = all_;
  if (all_ != nullptr) all_->newer = s;
  all_ = s;
  ++mapped_;
  count_live();
  sample(*s, stack::fresh_resident);
  return s;
}

void stack_supply::give(stack* s) noexcept {
  chaos::step(chaos::at::stack_given);
  {
    const std::lock_guard hold(lock_);
    // A pool at rest keeps a few for the next burst; the rest of the address space goes back.
    if (spares_ < 2 * caches_.size()) {
      s->next.set(spare_);
      spare_ = s;
      ++spares_;
      return;
    }
    if (s->newer != nullptr) s->newer->older = s->older;
    if (s->older != nullptr) s->older->newer = s->newer;
    if (all_ == s) all_ = s->older;
    --mapped_;
    bytes_ -= s->last_resident;
  }
  stack::unmap(s);
}

stack::residency stack_supply::trim(stack& s, std::size_t keep) noexcept {
  const auto [before, after] = s.trim(keep);
  const std::lock_guard hold(lock_);
  count_live();
  sample(s, before);
  bytes_ -= before - after;
  s.last_resident = after;
  return {before, after};
}

void stack_supply::note_shallow(stack& s) noexcept {
  const std::size_t resident = s.resident_above_mark();
  const std::lock_guard hold(lock_);
  count_live();
  sample(s, resident);
}

void stack_supply::sample(stack& s, std::size_t resident) noexcept {
  bytes_ += resident - s.last_resident;
  s.last_resident = resident;
  bytes_peak_ = std::max(bytes_peak_, bytes_);
}

// Live are those that are neither spare nor in a cache. The caches are read while their workers use them, one after the
// other: a sum that counts more than ever before is believed if it comes out the same again.
std::size_t stack_supply::count_live() noexcept {
  auto live = [this] {
    std::size_t cached = spares_;
    for (const stack_cache* c : caches_) cached += c->count_.get();
    return mapped_ - std::min(mapped_, cached);
  };
  const std::size_t n = live();
  if (n > peak_ && live() == n) peak_ = n;
  return n;
}

stack_supply::figures stack_supply::read() noexcept {
  const std::lock_guard hold(lock_);
  for (stack* s = all_; s != nullptr; s = s->older) sample(*s, s->resident());
  return {count_live(), peak_, bytes_peak_};
}

void stack_cache::trim(stack& s) noexcept {
  const auto [before, after] = supply_.trim(s);
  check_period_.set(before > after ? 1 : std::min(2 * check_period_.get(), 8192u));
  until_check_.set(check_period_.get());
}

void stack_cache::parked(stack& s) noexcept {
  const unsigned left = parks_until_check_.get() - 1;
  parks_until_check_.set(left > 0 ? left : park_period);
  if (left > 0 && s.stands_above_mark() && !s.was_deep()) return supply_.note_shallow(s);
  supply_.trim(s, 0);
}

void stack_cache::put(stack* s) noexcept {
  s->tsan_acquire_made();  // put_early() did so on the stack that was left; this is the one arrived at
  s->vacate();
  if (s->was_deep() || until_check_.get() == 0) trim(*s);
  if (count_.get() >= most)
    supply_.give(s);
  else
    keep(s);
}

void stack_cache::hand_back() noexcept {
  while (count_.get() > most_idle) {
    stack* const s = take();
    s->vacate();
    supply_.trim(*s);
    supply_.give(s);
  }
  for (stack* s = head_.get(); s != nullptr; s = s->next.get()) {
    s->tsan_acquire_made();
    s->vacate();
    supply_.trim(*s);
  }
}

}  // namespace heist::detail
