#include <heist/strand/thread_record.hpp>

namespace heist::detail {

counters thread_record::count() const noexcept {
  counters c;
  c.steal_attempts = steal_attempts.get();
  c.steals = steals.get();
  c.stolen_along = stolen_along.get();
  c.far_steals = far_steals.get();
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
