#include <heist/base/fatal.hpp>
#include <heist/base/process.hpp>
#include <heist/check/held_locks.hpp>
#include <heist/measure/hooks.hpp>
#include <heist/meter/clock.hpp>
#include <heist/sched/checked.hpp>
#include <heist/sched/child_stack.hpp>
#include <heist/sched/default_scheduler.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/unattached.hpp>
#include <heist/sched/wait.hpp>
#include <heist/strand/apart.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/strand/seat.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace heist::detail {

const job::kind unattached::continuation{&unattached::steal, beginning::continuation};

stack* unattached::steal(job& self) noexcept {
  auto& record = static_cast<unattached&>(self);
  stack* const parent = record.parent;
  parent->moves.set(parent->moves.get() + 1);
  record.robbed = true;
  begin_measured_continuation(depth_of(*parent, &record));
  tsan_release(parent);
  return parent;
}

// The beginning -------------------------------------------------------------------------------------------------------

namespace {

HEIST_COLD bool stackless(seat& s) noexcept {
  s.pool.must_be_here();
  s.by.get()->stackless.add();
  return false;
}

// A name for a place on a clock that no scope and no other place has: scopes have even addresses.
const void* fresh_point() noexcept {
  static std::atomic<std::uintptr_t> last{1};
  return reinterpret_cast<const void*>(last.fetch_add(2, std::memory_order_relaxed));
}

// The clock of a child that has ended before the rest of its parent, for the one that asks for the child.
belongings* take_clock(belongings& from) noexcept {
  std::unique_ptr<belongings> only;
  keep_belongings([&] {
    only = std::make_unique<belongings>();
    only->clock = std::move(from.clock);
  });
  from.clock.reset();
  return only.release();
}

// The parent has views or a clock: they stay with it, and the child has its own.
[[gnu::noinline]] bool start_apart(unattached& record, on_arrival body, seat& s, stack& mine) noexcept {
  const apart parents;
  strand_clock* const c = parents.clock();
  if (c != nullptr && record.asked_by == asker::future) {
    record.point = fresh_point();
    keep_belongings([&] { c->queue_child(record.point, 0); });
  }
  const bool started = enter_child(s, mine, {}, record, body);
  // There are now the child's, which come before the rest of its parent; or those that the thief has begun with as this strand.
  if (started && !record.robbed && record.point != nullptr && has_clock()) record.measured = take_clock(own_belongings());
  if (!started && c != nullptr && record.point != nullptr) c->sync(std::exchange(record.point, nullptr));
  return started || stackless(*this_seat());
}

[[gnu::noinline]] bool start_by_switch(unattached& record, on_arrival body, seat& s, stack& mine) noexcept {
  return enter_child(s, mine, {}, record, body) || stackless(*this_seat());
}

}  // namespace

[[gnu::noinline]] bool start(unattached& record, on_arrival body) noexcept {
  check_no_lock_held();
  seat& s = *this_seat();
  stack* const mine = s.running.get();
  if (mine == nullptr) [[unlikely]] return stackless(s);
  // The child may outlive the call from outside that its parent is a part of.
  const void* const root = s.now.root.replace(nullptr);
  bool started = true;
  if (s.now.own.get() != nullptr)
    started = start_apart(record, body, s, *mine);
  else if (stack* const fresh = ready_stack(thread_at(s))) [[likely]]
    call_child(s, *mine, fresh, {}, record, body);
  else
    started = start_by_switch(record, body, s, *mine);
  this_worker()->now.root.set(root);
  return started;
}

void unattached_child::push_tripped(worker& w) noexcept {
  tripped(w);
  wait::give_way();
  this_worker()->look_at_next_fork();
  begin_own_clock();
}

// The end -------------------------------------------------------------------------------------------------------------

void unattached_child::end_clock() noexcept { end_own_clock(); }

bool unattached_child::robbed_but_settles() noexcept {
  if (this_worker()->jobs.owner().settle()) return true;
  this_worker()->pool.must_be_here();
  return false;
}

stack* unattached_child::end_detached() noexcept {
  if (worker& w = *this_worker(); w.now.own.get() != nullptr) [[unlikely]] w.pool.loose.leave(strand::end());
  if (take_parent_back()) return to_caller();
  meet_parent(nullptr);
  end_loose();
  return nullptr;
}

void end_loose() noexcept {
  scheduler& pool = this_worker()->pool;
  pool.loose.leave(strand::end());
  pool.loose.end();
}

void report_unhandled() noexcept { this_worker()->pool.loose.unhandled(); }

// Where a child and the parent that was stolen from it meet -----------------------------------------------------------

namespace {

// Children that have ended before their parents came here. The frames of both may be gone when the other one comes, so what
// they share cannot lie in either.
struct meeting_place {
  struct early {
    const unattached* record;  // its parent's, which is there until the parent comes
    void* shared;
  };
  std::mutex lock;
  std::vector<early> children;
};

meeting_place& place_of(const unattached* record) noexcept {
  static meeting_place places[16];
  static const bool watching = [] {
    at_fork_in_child([] {
      for (meeting_place& p : places) new (&p) meeting_place;
    });
    return true;
  }();
  static_cast<void>(watching);
  return places[(reinterpret_cast<std::uintptr_t>(record) >> 7) % 16];
}

template <class F>
void* with_memory(F&& f) noexcept {
  void* made = nullptr;
  if_there_is_memory("no memory for what a computation shares with its future; the machine is short of memory",
                     [&] { made = f(); });
  return made;
}

}  // namespace

void* unattached_child::meet_parent(maker_of_shared make) noexcept {
  meeting_place& here = place_of(record_);
  const std::lock_guard hold(here.lock);
  if (met_) return shared_;
  this_worker()->pool.loose.begin();
  return with_memory([&] {
    void* const shared = make != nullptr ? make() : nullptr;
    here.children.push_back({record_, shared});
    return shared;
  });
}

void* meet_child(unattached& record, maker_of_shared make) noexcept {
  meeting_place& here = place_of(&record);
  const std::lock_guard hold(here.lock);
  for (auto& e : here.children)
    if (e.record == &record) {
      void* const shared = e.shared;
      e = here.children.back();
      here.children.pop_back();
      return shared;
    }
  this_worker()->pool.loose.begin();
  record.child->met_ = true;
  return record.child->shared_ = with_memory([&] { return make != nullptr ? make() : nullptr; });
}

const void* count_begun(const scheduler& pool) noexcept {
  if (!pool.profiled() || this_worker() != nullptr) return nullptr;
  program_profile* const whole = program_profile::get();
  if (whole == nullptr) return nullptr;
  const void* const point = fresh_point();
  keep_belongings([&] { whole->begin(point); });
  return point;
}

void count_asked(belongings& all, const void* point) noexcept {
  if (!all.clock) return;
  if (program_profile* const whole = program_profile::get())
    keep_belongings([&] { whole->join(point, std::move(*all.clock)); });
  all.clock.reset();  // without a profile, it is of a measurement that is over or has another strand
}

void count_unasked(belongings& all) noexcept {
  if (!all.clock) return;
  if (program_profile* const whole = program_profile::get())
    keep_belongings([&] { whole->add(std::move(*all.clock), program_profile::place::last); });
}

// From outside --------------------------------------------------------------------------------------------------------

const job::kind loose_job::root{&loose_job::steal, beginning::root};

loose_job::loose_job(runner run_body) noexcept : job(root), body(run_body) {}

stack* loose_job::steal(job& self) noexcept {
  auto& j = static_cast<loose_job&>(self);
  if (stack* const here = this_seat()->running.get()) here->part_of.set({});
  j.body(j);
  end_loose();
  return nullptr;
}

void inject(scheduler& pool, loose_job& j, ticket* held) noexcept {
  pool.loose.begin();
  pool.inject(j, fp_mode::current(), nullptr, held);
  // Nobody else would ever come: one that asks for the future waits in no pool.
  if (this_worker() == nullptr && pool.seats.no_thread_can_start()) pool.callers.help_with(nullptr);
}

scheduler& scheduler_around() {
  worker* const w = this_worker();
  return w != nullptr ? w->pool : default_scheduler();
}

}  // namespace heist::detail
