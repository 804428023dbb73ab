#include <heist/strand/seat.hpp>

namespace heist::detail {

void seat::accept(const terms& t) noexcept {
  now = strand();  // drops what the last strand left
  now.root_mode.set(t.mode);
  measured_from.set(t.measured ? jobs.owner().next() : never);
  t.mode.apply();
}

counters seat::count() const noexcept {
  counters c;
  c.steal_attempts = steal_attempts.get();
  c.steals = steals.get();
  c.lost = lost.get();
  c.heavy_fences = heavy_fences.get();
  c.suspends = suspends.get();
  c.resumes = resumes.get();
  c.sleeps = sleeps.get();
  c.wakes = wakes.get();
  c.stackless = stackless.get();
  return c;
}

}  // namespace heist::detail
