// Suspend and resume: how a strand waits without holding a worker. The protocol is in README.md, "The life of a stolen
// branch"; the step numbers below are its.

#include <heist/base/chaos.hpp>
#include <heist/base/cpu.hpp>
#include <heist/base/fatal.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/cancelled.hpp>
#include <heist/sched/belongings.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/measured.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/strand.hpp>
#include <heist/sched/suspend.hpp>
#include <heist/sched/unwanted.hpp>
#include <heist/stack/switch.hpp>

#include <cxxabi.h>

#include <memory>
#include <thread>
#include <typeinfo>
#include <utility>

namespace heist::detail {

namespace {

std::uintptr_t parked_word(const waiter& w) noexcept {
  return reinterpret_cast<std::uintptr_t>(&w) | job::parked_tag;
}

// What a branch that has ended left to its forker.
std::uintptr_t word_of(std::unique_ptr<belongings> left) noexcept {
  static_assert(alignof(belongings) >= 8, "its address leaves room for the tags");
  return reinterpret_cast<std::uintptr_t>(left.release());
}

std::unique_ptr<belongings> left_in(std::uintptr_t word) noexcept {
  return std::unique_ptr<belongings>(reinterpret_cast<belongings*>(word & ~std::uintptr_t{7}));
}

// Step 3 of the forker. False: the thief was faster and the branch has ended.
// model: suspend.pml, park_in()
bool park_in(waiter& w) noexcept {
  chaos::step(chaos::at::parking);
  auto pending = reinterpret_cast<std::uintptr_t>(w.displaced);
  // order[job.park]: the thief that reads the waiter sees it whole, and the stack complete
  // order[job.end]: if the branch has ended we see what it left
  return w.branch->word.compare_exchange_strong(pending, parked_word(w), std::memory_order_acq_rel,
                                                std::memory_order_acquire);
}

stack* recycle(void* used) noexcept {
  this_seat()->stacks.put(static_cast<stack*>(used));
  return nullptr;
}

}  // namespace

// Not instrumented by ThreadSanitizer: it is entered again and again and never returns, so that its calls would pile up
// in the sanitizer's books.
HEIST_NO_TSAN void stack_main(handoff* from) noexcept {
  stack& self = static_cast<stack&>(*from->to);
  stack* next = arrive(from);
  if (next == nullptr) next = scheduler::work();
  seat& s = *this_seat();
  s.running.set(next);
  context& to = next != nullptr ? static_cast<context&>(*next) : *s.home.get();
  exception_globals& thread = *s.exceptions.get();
  const on_arrival then = s.stacks.put_early(&self) ? nullptr : recycle;
  tsan_release(&s.pool);  // all that ran on this stack comes before the pool's end
  leave_to(self, to, thread, then, &self);
}

void visit_stacks(seat& s, context& home, stack& first, on_arrival then, void* argument) noexcept {
  for (stack* next = &first; next != nullptr;) {
    s.running.set(next);
    next = switch_to(home, *next, *s.exceptions.get(), std::exchange(then, nullptr), argument);
  }
}

// A strand that is parked goes on where its thief is, away from all that is in this core's caches. So while there is nothing
// to steal, and its worker would only search, the strand stays. A chaos build parks at once, as that is what it is for.
bool scheduler::over_soon(bool (*over)(const void*) noexcept, const void* what) noexcept {
#ifndef HEIST_CHAOS
  scheduler& pool = this_seat()->pool;
  const nanoseconds deadline = now() + pool.search_time_;
  unsigned round = 0;
  do {
    for (int i = 0; i < 16; ++i) {
      if (over(what)) return true;
      relax();
    }
    if (++round % 8 == 0) std::this_thread::yield();  // as in search()
  } while (now() < deadline && !pool.work_in_sight());
#endif
  return over(what);
}

// model: suspend.pml, reclaim(); scope.pml, sync()
bool suspend(on_arrival parked, void* argument) noexcept {
  struct departure {
    stack* left;
    on_arrival parked;
    void* argument;
  };
  seat& s = *this_seat();
  departure d{s.running.get(), parked, argument};
  // A caller from outside has nothing else to do than this root: it goes home. A pool thread steals on a fresh stack.
  stack* const fresh = d.left == nullptr || s.lent() ? nullptr : s.stacks.take();
  if (d.left == nullptr || (fresh == nullptr && !s.lent())) {
    s.stackless.add();
    return false;
  }
  if (fresh != nullptr) restart(*fresh, fresh, stack_main);
  s.suspends.add();
  s.note(trace_event::kind::suspend);
  const fp_mode root_mode = s.mode.get();
  const fp_mode own_mode = fp_mode::current();
  const strand_mark strand;
  belongings* const own = s.own.replace(nullptr);
  s.running.set(fresh);
  chaos::step(chaos::at::suspending);
  tsan_release(&d);  // the other side publishes what this side wrote
  switch_to(*d.left, s.here(), *s.exceptions.get(),
            [](void* p) {
              tsan_acquire(p);
              const departure left = *static_cast<departure*>(p);
              this_seat()->stacks.parked(*left.left);
              return left.parked(left.argument);
            },
            &d);
  tsan_acquire(d.left);  // what the resumer did
  seat& t = *this_seat();
  t.mode.set(root_mode);
  t.own.set(own);
  t.measured_from.set(own_clock() != nullptr ? 0 : seat::never);  // its deque is empty
  strand.restore();
  own_mode.apply();
  look_at_next_fork(t);
  return true;
}

stack* resumed(stack& parked) noexcept {
  seat& s = *this_seat();
  s.resumes.add();
  s.note(trace_event::kind::resume);
  tsan_release(&parked);  // the resumed strand comes after all that its resumer did
  return &parked;
}

namespace {

struct claim {
  ending how;
  std::unique_ptr<belongings> left;
};

enum class result : unsigned char { wanted, renounced };

// From another stack, or from this one if it cannot be left. False: the branch has ended meanwhile.
bool park(waiter& w) noexcept {
  scheduler* const pool = w.renounced ? &this_worker()->pool : nullptr;  // of the waiter nothing is read once it is parked
  if (!park_in(w)) return false;
  if (pool != nullptr) pool->sound_alarm();
  return true;
}

// model: suspend.pml, reclaim()
claim await(job& branch, result of) noexcept {
  if (this_worker()->jobs.owner().settle()) return {ending::ours, nullptr};
  this_worker()->pool.must_be_here();
  if (strand_clock* const c = own_clock()) c->drop();  // the thief's clock has it
  chaos::step(chaos::at::reclaiming);
  // order[job.end]: what the branch left
  std::uintptr_t word = branch.word.load(std::memory_order_acquire);
  auto over = [](const void* p) noexcept {
    return job::ended(static_cast<const job*>(p)->word.load(std::memory_order_relaxed));
  };
  if (of == result::wanted && !job::ended(word) && scheduler::over_soon(over, &branch))
    word = branch.word.load(std::memory_order_acquire);
  if (!job::ended(word)) {
    waiter w{reinterpret_cast<const job::kind*>(word), &branch, this_seat()->running.get()};
    w.renounced = of == result::renounced;
    w.unwinding = this_seat()->unwinding();
    scheduler& pool = this_worker()->pool;
    if (w.renounced) pool.begin_alarm();
    const bool left = suspend(
        [](void* p) -> stack* {
          auto& self = *static_cast<waiter*>(p);
          stack& mine = *self.parked;
          return park(self) ? nullptr : resumed(mine);
        },
        &w);
    if (!left) {
      parking bed;
      w.bed = &bed;
      if (park(w)) bed.wait();
    }
    if (w.renounced) pool.end_alarm();
    // order[job.end]: what the branch left
    word = branch.word.load(std::memory_order_acquire);
  }
  return {(word & job::done) != 0 ? ending::done : ending::failed, left_in(word)};
}

}  // namespace

ending reclaim(job& branch) noexcept {
  claim c = await(branch, result::wanted);
  receive_belongings(std::move(c.left));
  return c.how;
}

ending renounce(job& branch) noexcept { return await(branch, result::renounced).how; }

// model: suspend.pml, run_stolen()
stack* run_stolen(job& j) noexcept {
  chaos::step(chaos::at::stolen);
  // order[job.park]: the forker may have parked since we stole the branch
  const std::uintptr_t word = j.word.load(std::memory_order_acquire);
  const job::kind& kind = job::parked(word) ? *waiter_in(word).displaced : *reinterpret_cast<const job::kind*>(word);
  seat& s = *this_seat();
  s.note(kind.of == job::kind::theft::branch ? trace_event::kind::stolen : trace_event::kind::continuation);
  if (stack* const mine = s.running.get()) mine->strand.set({&j, stolen_branch});  // or what `run` makes of it
  look_at_next_fork(s);
  begin_measured_strand();
  return kind.run(j);
}

// model: suspend.pml, finish()
stack* finish(job& branch, std::uintptr_t outcome) noexcept {
  end_measured_strand();
  chaos::step(chaos::at::finishing);
  // order[job.end]: the forker sees what the branch left
  // order[job.park]: if the forker is parked we see its waiter
  const std::uintptr_t was = branch.word.exchange(outcome | word_of(give_belongings()), std::memory_order_acq_rel);
  chaos::step(chaos::at::finished);
  if (!job::parked(was)) return nullptr;
  const waiter& w = waiter_in(was);
  if (w.bed == nullptr) return resumed(*w.parked);
  w.bed->post();
  return nullptr;
}

std::exception_ptr carry_exception() noexcept {
  std::exception_ptr e = abi::__cxa_current_exception_type() != nullptr ? std::current_exception() : nullptr;
  if (!e)
    fatal("a branch ended by an exception that C++ cannot carry to another thread: a foreign exception, pthread_exit "
          "or a cancelled thread; end branches by return or by a C++ exception");
  return e;
}

bool handles_cancelled() noexcept {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  return type != nullptr && *type == typeid(cancelled);
}

}  // namespace heist::detail
