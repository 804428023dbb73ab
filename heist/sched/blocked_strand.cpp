#include <heist/sched/blocked_strand.hpp>
#include <heist/sched/scheduler.hpp>

namespace heist::detail {

blocked_strand::blocked_strand() noexcept {
  const worker* const w = this_worker();
  if (w != nullptr && w->pool.stocked.any()) call_.emplace();
}

}  // namespace heist::detail
