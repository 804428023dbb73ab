#include <heist/base/cpu.hpp>
#include <heist/sched/hunger.hpp>
#include <heist/sched/scheduler.hpp>

namespace heist::detail {

bool thief_at_hand() noexcept {
  seat& s = *this_seat();
  const unsigned spared = s.loops_to_spare.get();
  if (spared == 0) return s.pool.sleepers.searching() > 0;  // a line that others write: not for every short loop
  s.loops_to_spare.set(spared - 1);
  return false;
}

// A thief that was expected costs some hundred nanoseconds when it comes, and a few compare-and-swaps when it does not.
// Loops that are over in a microsecond come in hundreds: most of them are left to thieves that must ask, and will be too
// late.
void note_half(std::uint64_t ticks) noexcept {
  this_seat()->loops_to_spare.set(ticks < ten_microseconds_in_ticks() / 10 ? 64 : 0);
}

}  // namespace heist::detail
