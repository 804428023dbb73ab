#include <heist/cancelled.hpp>
#include <heist/sched/child.hpp>
#include <heist/sched/job.hpp>
#include <heist/sched/seat.hpp>
#include <heist/sched/suspend.hpp>
#include <heist/sched/unwanted.hpp>

#include <utility>

namespace heist::detail {

namespace {

// Up from the strand to what encloses it, as far as that is known: all of it is there until the strand has ended. Of a forker
// that waits it is known what its strand is a part of; of one that runs, what it was a part of when it came to its seat.
bool unwanted(part p) noexcept {
  while (p.of != nullptr) {
    if (p.number != stolen_branch) {
      const auto& scope = *static_cast<const scope_books*>(p.of);
      if (scope.stops(p.number)) return true;
      p = scope.made_by();
      continue;
    }
    const auto& stolen = *static_cast<const stolen_strand*>(p.of);
    p = stolen.outer;
    // order[job.park]: the waiter whole, and its stack
    const std::uintptr_t word = stolen.branch.word.load(std::memory_order_acquire);
    if (!job::parked(word)) continue;
    const waiter& forker = waiter_in(word);
    if (forker.renounced) return true;
    if (forker.unwinding) return false;
    if (forker.parked != nullptr) p = forker.parked->strand.get();
  }
  return false;
}

bool says_cancelled(const std::exception_ptr& e) noexcept {
  try {
    std::rethrow_exception(e);
  } catch (const cancelled&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

void look_whether_wanted() {
  seat& s = *this_seat();
  const stack* const mine = s.running.get();
  if (mine == nullptr || s.unwinding() || !unwanted(mine->strand.get())) return;
  s.base.end_at(s.jobs.owner().next());  // what destructors fork from here on must not be stopped
  throw cancelled();
}

void throw_if_it_says_more(std::exception_ptr later) {
  if (handles_cancelled() && !says_cancelled(later)) std::rethrow_exception(std::move(later));
}

bool stopped_while_unwinding(const std::exception_ptr& e) noexcept { return this_seat()->unwinding() && says_cancelled(e); }

}  // namespace heist::detail
