#include <heist/sched/outside.hpp>
#include <heist/sched/scheduler.hpp>

namespace heist::detail {

namespace {
// Set by a thief from outside until the job that it has stolen asks.
constinit thread_local bool lending = false;

// Not instrumented by ThreadSanitizer, which takes a thread's stacks for threads: they use it in turn.
[[gnu::noinline]] HEIST_NO_TSAN bool set_lending(bool to) noexcept {
  asm volatile("");  // a strand moves between threads: the address is computed anew each time
  const bool was = lending;  // not by std::exchange, which is instrumented
  lending = to;
  return was;
}
}  // namespace

bool lends_this() noexcept { return set_lending(false); }

bool outside::steal() noexcept {
  if (!any()) return false;
  set_lending(true);
  const bool found = pool_.callers.run_traveller();
  set_lending(false);
  return found;
}

bool outside::any() noexcept {
  bool seen = false;
  pool_.victims.read().for_each([&](seat& s) { seen = seen || s.jobs.thief().before_tagged() >= 0; });
  return seen;
}

int outside::idle_workers() noexcept { return pool_.search.work_in_sight() ? 0 : pool_.sleepers.asleep(); }

void outside::tell(void (*call)(void*) noexcept, void* argument) noexcept {
  argument_ = argument;
  // order[outside.tell]: with its argument
  call_.store(call, std::memory_order_release);
}

}  // namespace heist::detail
