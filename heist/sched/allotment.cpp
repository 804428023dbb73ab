#include <heist/sched/allotment.hpp>
#include <heist/sched/scheduler.hpp>

#include <algorithm>
#include <exception>

namespace heist::detail {

void allotment::look_now(whose mask) noexcept {
  const nanoseconds time = now();
  nanoseconds due = next(mask).load(std::memory_order_relaxed);
  if (time < due || !next(mask).compare_exchange_strong(due, time + period, std::memory_order_relaxed)) return;
  try {
    const unsigned before = pool_.workers();
    // The mask of a thread that is being woken is narrow for a moment, so that of others shows only what is more.
    const unsigned processors = mask == whose::own ? affinity_count() : std::max(before, pool_.seats.most_processors());
    const unsigned n = usable(processors, cgroup_quota(paths_));
    if (n == before) return;
    if (mask == whose::own) pool_.seats.start_like_me();
    pool_.follow_machine(n);
  } catch (const std::exception&) {  // no memory, or too many open files: the size stays until the next look
  }
}

}  // namespace heist::detail
