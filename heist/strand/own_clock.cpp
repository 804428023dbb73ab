#include <heist/base/sanitizer.hpp>
#include <heist/meter/clock.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/strand/seat.hpp>

namespace heist::detail {

strand_clock* own_clock() noexcept {
  belongings* const mine = this_worker()->now.own.get();
  if (mine == nullptr) return nullptr;
  tsan_acquire(mine);
  return mine->clock ? &*mine->clock : nullptr;
}

bool has_clock() noexcept { return own_clock() != nullptr; }

strand_clock* touch_own_clock() noexcept {
  strand_clock* const c = this_worker() != nullptr ? own_clock() : nullptr;
  if (c != nullptr) this_seat()->by.get()->busy_ticks.add(c->touch());
  return c;
}

std::size_t depth_here() noexcept {
  const stack* const mine = this_seat()->running.get();
  return mine == nullptr ? 0 : depth_of(*mine, __builtin_frame_address(0));
}

void begin_own_clock() noexcept {
  if (this_seat()->measured_from.get() == seat::never) return;
  keep_belongings([] { own_belongings().clock.emplace().begin_depth(depth_here()); });
}

void end_stretch(strand_clock& c) noexcept {
  c.note_depth(depth_here());
  if (!c.running()) return;
  thread_record& t = *this_seat()->by.get();
  t.busy_ticks.add(c.end());
  t.strands.add();
}

void end_own_clock() noexcept {
  if (strand_clock* const c = own_clock()) end_stretch(*c);
}

}  // namespace heist::detail
