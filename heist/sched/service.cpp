#include <heist/check/chaos.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/service.hpp>

#include <exception>
#include <mutex>
#include <new>

namespace heist::detail {

void service::resize(unsigned workers) {
  bool more = false;
  std::exception_ptr failure;
  {
    const std::lock_guard hold(pool_.seats.lock());
    roster_.want(workers);
    dismiss_idle();
    try {
      for (; roster_.too_few() && !pool_.seats.stopping(); more = true) recruit();
    } catch (const std::bad_alloc&) {
      roster_.want_no_more();
      failure = std::current_exception();
    }
  }
  if (more) pool_.seats.rouse_if_needed(spot::beside);
  ask_to_leave();
  if (failure != nullptr) std::rethrow_exception(failure);
}

void service::ask_to_leave() noexcept {
  if (too_many()) pool_.victims.read().for_each([](seat& s) { s.ask(request::look); });
}

bool service::replace() noexcept {
  {
    const std::lock_guard hold(pool_.seats.lock());
    if (pool_.seats.stopping() || !roster_.begin_block()) return false;
    if (!roster_.too_few()) return true;  // one that was to leave stays
    try {
      recruit();
    } catch (const std::bad_alloc&) {
      roster_.end_block();
      return false;
    }
  }
  pool_.seats.rouse_if_needed(spot::beside);
  return true;
}

void service::end_replacement() noexcept {
  {
    const std::lock_guard hold(pool_.seats.lock());
    roster_.end_block();
    dismiss_idle();
  }
  ask_to_leave();
}

void service::relieve() noexcept {
  {
    const std::lock_guard hold(pool_.seats.lock());
    if (pool_.seats.stopping() || pool_.sleepers.asleep() > 0 || pool_.sleepers.searching() > 0) return;
    if (!roster_.begin_relief(pool_.seats.lent())) return;
    try {
      if (roster_.too_few()) recruit();
    } catch (const std::bad_alloc&) {
      return roster_.end_relief();
    }
  }
  pool_.seats.rouse_if_needed(spot::beside);
}

// Coming and going ----------------------------------------------------------------------------------------------------

void service::enter(pool_thread& t) {
  pool_.enlist(*t.at.get());
  roster_.enter();
  t.serving = true;
  pool_.sleepers.add_asleep(t);
}

// model: resize.pml, recruit()
void service::recruit() {
  pool_thread* const former = roster_.recall();
  pool_thread& t = former != nullptr ? *former : pool_.seats.add(role::worker);
  try {
    enter(t);
  } catch (...) {
    roster_.add(t);
    throw;
  }
}

bool service::leaves(pool_thread& t) noexcept {
  if (t.mail.load(std::memory_order_relaxed) > 0 || !roster_.leave()) return false;
  t.serving = false;
  return true;
}

void service::dismiss(pool_thread& t) noexcept {
  pool_.seats.stand_down(t);
  roster_.add(t);
}

// model: resize.pml, dismiss_idle()
void service::dismiss_idle() noexcept {
  while (too_many()) {
    pool_thread* t = pool_.seats.take_threadless();
    if (t == nullptr) t = static_cast<pool_thread*>(pool_.sleepers.borrow());
    if (t == nullptr) return;
    if (leaves(*t)) {
      dismiss(*t);
    } else {
      // It has mail, and the sender may have missed it while it was off the list.
      pool_.sleepers.begin_search();
      if (pool_.seats.call_thread(*t, spot::beside))
        t->bed.post();
      else
        pool_.sleepers.strike();
    }
  }
}

bool service::retires(pool_thread& t) noexcept {
  if (!too_many()) return false;
  chaos::step(chaos::at::leaving);
  const std::lock_guard hold(pool_.seats.lock());
  if (!leaves(t)) return false;
  t.retired.set(true);
  return true;
}

// model: resize.pml, wait_in_reserve()
void service::wait_in_reserve(pool_thread& t) noexcept {
  t.at.get()->note(trace_event::kind::rest);
  for (stolen_job j = pool_.stocked.take(t.stock); j.what != nullptr; j = pool_.stocked.take(t.stock)) pool_.inject(j);
  t.stacks.hand_back();
  pool_.victims.remove(*t.at.get());
  {
    const std::lock_guard hold(pool_.seats.lock());
    t.retired.set(false);
    roster_.add(t);
  }
  t.bed.wait();
  search::get_up(t);
}

}  // namespace heist::detail
