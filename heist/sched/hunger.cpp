#include <heist/base/cpu.hpp>
#include <heist/meter/recording.hpp>
#include <heist/sched/hunger.hpp>
#include <heist/sched/scheduler.hpp>

namespace heist::detail {

bool is_recorded_by_count() noexcept { return recording::by_count(); }

bool thief_at_hand() noexcept {
  seat& s = *this_seat();
  const unsigned spared = s.loops_to_spare.get();
  if (spared == 0) return s.pool.sleepers.searching() > 0;  // written by others: not read for every short loop
  s.loops_to_spare.set(spared - 1);
  return false;
}

// Expecting a thief costs some hundred nanoseconds if one comes, and a few compare-and-swaps if not.
// Loops that take a microsecond come in hundreds: most of them are not shared at once, so thieves
// must ask, and come too late.
void note_half(std::uint64_t ticks) noexcept {
  this_seat()->loops_to_spare.set(ticks < ten_microseconds_in_ticks() / 10 ? 64 : 0);
}

}  // namespace heist::detail
