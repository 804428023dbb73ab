#include <heist/sched/scheduler.hpp>
#include <heist/wait/unwanted_watch.hpp>

namespace heist::detail {

unwanted_watch::unwanted_watch(void (*wake)(void*) noexcept, void* argument) noexcept {
  const seat* const s = this_seat();
  const stack* const mine = s != nullptr ? s->running.get() : nullptr;
  if (mine == nullptr || thread_at(*s).unwinding()) return;
  if (const part p = mine->part_of.get(); p.of != nullptr) in_.emplace(s->pool.alarms, p, wake, argument);
}

unwanted_watch::~unwanted_watch() = default;

}  // namespace heist::detail
