#include <heist/base/fatal.hpp>
#include <heist/sched/default_scheduler.hpp>
#include <heist/sched/place.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/strand/seat.hpp>

namespace heist::detail {

namespace {
// The home_ of a scope that has ended.
const stack* nowhere() noexcept {
  static constexpr char place = 0;
  return reinterpret_cast<const stack*>(&place);
}
}  // namespace

void end_of_life() noexcept {
  fatal("a scope was used after it had ended; spawn into a scope before its last sync, or from one of its children");
}

place_of_scope::place_of_scope() {
  seat* const s = this_seat();
  if (s == nullptr) {
    pool_ = &default_scheduler();
    thread_ = this_thread();
    return;
  }
  pool_ = &s->pool;
  home_ = s->running.get();
  mark_ = s->now.mark.get();
  note_base();
}

bool place_of_scope::ended() const noexcept { return home_ == nowhere(); }

void place_of_scope::end() noexcept {
  home_ = nowhere();
  asm volatile("" ::: "memory");  // or the compiler would drop a store at the end of the object's lifetime
}

bool place_of_scope::on_strand() const noexcept {
  if (outside()) return this_worker() == nullptr && this_thread() == thread_;
  const seat* const s = this_seat();
  if (!in_pool() || s->running.get() != home_) return false;
  return home_ != nullptr || s == base_on_;  // on a native stack, which keeps its seat
}

void place_of_scope::must_be_on_strand() const noexcept {
  bool good = on_strand();
#if defined(HEIST_CHECKED)
  good = good && (outside() || this_worker()->now.mark.get() == mark_);
#endif
  if (good) return;
  if (ended()) end_of_life();
  pool_->must_be_here();
  fatal("a scope was synced or destroyed by a strand that did not make it; children and branches may spawn into a scope, "
        "but only the strand that made it may wait for it");
}

bool place_of_scope::at_base() const noexcept {
  worker& w = *this_worker();
  return base_on_ == &w && w.jobs.owner().next() == base_ && (home_ == nullptr || home_->moves.get() == moves_);
}

void place_of_scope::note_base() noexcept {
  base_on_ = this_worker();
  base_ = this_worker()->jobs.owner().next();
  if (home_ != nullptr) moves_ = home_->moves.get();
}

// A branch lies on the strand's stack; a queued child never does.
bool place_of_scope::inside_fork() const noexcept {
  worker& w = *this_worker();
  return w.jobs.size() > 0 && !at_base() && home_->holds(w.jobs.owner().last());
}

}  // namespace heist::detail
