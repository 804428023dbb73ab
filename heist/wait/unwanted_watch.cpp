#include <heist/sched/scheduler.hpp>
#include <heist/wait/unwanted_watch.hpp>

namespace heist::detail {
namespace {

// What the strand at that seat is a part of; of nothing, if it cannot be stopped.
part stoppable_part(const seat* s) noexcept {
  const stack* const mine = s != nullptr ? s->running.get() : nullptr;
  return mine == nullptr || thread_at(*s).unwinding() ? part{} : mine->part_of.get();
}

}  // namespace

unwanted_watch::unwanted_watch(void (*wake)(void*) noexcept, void* argument) noexcept {
  const seat* const s = this_seat();
  if (const part p = stoppable_part(s); p.of != nullptr) in_.emplace(s->pool.alarms, p, wake, argument);
}

bool unwanted_watch::possible() noexcept { return stoppable_part(this_seat()).of != nullptr; }

unwanted_watch::~unwanted_watch() = default;

}  // namespace heist::detail
