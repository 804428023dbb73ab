// How a stolen branch comes back. The protocol, and the step numbers used below, are in protocols/stolen_branch.md.

#include <heist/base/fatal.hpp>
#include <heist/cancelled.hpp>
#include <heist/check/chaos.hpp>
#include <heist/fence/fence.hpp>
#include <heist/measure/hooks.hpp>
#include <heist/meter/clock.hpp>
#include <heist/sched/blocked_strand.hpp>
#include <heist/sched/default_scheduler.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/root.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/suspend.hpp>
#include <heist/sched/waiter.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/own_clock.hpp>

#include <cxxabi.h>

#include <memory>
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
  // order[alarm.park]: before the alarm is asked
  return w.branch->word.compare_exchange_strong(pending, parked_word(w), std::memory_order_seq_cst,
                                                std::memory_order_acquire);
}

struct claim {
  ending how;
  std::unique_ptr<belongings> left;
};

enum class result : unsigned char { wanted, renounced };

// From another stack, or from this one if it cannot be left. False if the branch has ended
// meanwhile.
bool park(waiter& w) noexcept {
  alarm& alarms = this_worker()->pool.alarms;  // read first: a parked waiter may be gone
  const bool renounced = w.renounced;
  if (!park_in(w)) return false;
  // Of a branch whose forker was not parked nobody could tell whether it is wanted, and the branch may wait for something.
  // order[alarm.park]: the word before the alarm; the one that sounds has begun the alarm before it reads the word
  if (renounced || alarms.count().load(std::memory_order_seq_cst) > 0) alarms.sound();
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
  if (of == result::wanted && !job::ended(word) && over_soon(over, &branch))
    word = branch.word.load(std::memory_order_acquire);
  if (!job::ended(word)) {
    waiter w{reinterpret_cast<const job::kind*>(word), &branch, this_seat()->running.get()};
    w.renounced = of == result::renounced;
    w.unwinding = thread_at(*this_seat()).unwinding();
    scheduler& pool = this_worker()->pool;
    if (w.renounced) pool.alarms.begin();
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
      const blocked_strand here;
      if (park(w)) bed.wait();
    }
    if (w.renounced) pool.alarms.end();
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
  if (this_seat()->measured_from.get() != seat::never) try_hooks();
  strand::begin(kind.as, {&j, part::stolen_branch});  // or a part of what `run` makes of it
  // The rest of a loop of spawns, as a rule. It spawns a child next and stays with it, and the next thief must not have to
  // interrupt us for what is left: so that is shared at once.
  if (kind.as == beginning::continuation) this_worker()->jobs.owner().trip();
  return kind.run(j);
}

// model: suspend.pml, finish()
stack* finish(job& branch, std::uintptr_t outcome) noexcept {
  const std::uintptr_t left = word_of(strand::end());
  chaos::step(chaos::at::finishing);
  // order[job.end]: the forker sees what the branch left
  // order[job.park]: if the forker is parked we see its waiter
  const std::uintptr_t was = branch.word.exchange(outcome | left, std::memory_order_acq_rel);
  chaos::step(chaos::at::finished);
  if (!job::parked(was)) return nullptr;
  const waiter& w = waiter_in(was);
  if (w.bed == nullptr) return resumed(*w.parked);
  w.bed->post();
  return nullptr;
}

// model: deque_limit.pml, tripped()
void tripped(worker& w) noexcept {
  auto& s = static_cast<seat&>(w);
  scheduler& pool = s.pool;
  auto end = s.jobs.owner();
  pool.must_be_here();
  // order[fence.full]: our bottom before their request, where no heavy fence sees to it
  if (pool.fences.pushers_fence()) full_fence();
  chaos::step(chaos::at::tripped);
  const unsigned asked = s.requests.load(std::memory_order_seq_cst);
  if ((asked & static_cast<unsigned>(request::share)) != 0) {
    s.withdraw(request::share);
    s.deaf.store(false, std::memory_order_relaxed);
  }
  end.share((asked & static_cast<unsigned>(request::share_all)) != 0 ? portion::all : portion::half);
  constexpr unsigned standing = static_cast<unsigned>(request::share_all) | static_cast<unsigned>(request::meter);
  if (asked != 0 && (asked & ~standing) == 0 && end.has_room()) return;
  if ((asked & static_cast<unsigned>(request::look)) != 0) s.withdraw(request::look);
  if ((asked & static_cast<unsigned>(request::wake)) != 0) {
    // Withdrawn before we ask who sleeps: a worker that lies down later asks again.
    s.withdraw(request::wake);
    chaos::step(chaos::at::withdrawn);
    pool.seats.rouse_one();
  }
  if_there_is_memory("no memory to enlarge a deque of jobs; the recursion is too deep, or the machine is short of memory",
                     [&] { end.make_room(); });
  chaos::step(chaos::at::room_made);
  // order[deque.trip]: the limit is raised; whoever asked before that is seen here
  if (s.requests.load(std::memory_order_seq_cst) != 0) s.jobs.trip();
}

void run_outside(void (*body)(void*), void* argument) {
#if defined(HEIST_RACE)
  return body(argument);  // on the calling thread
#endif
  auto call_body = [=] { body(argument); };
  root_call<decltype(call_body)&> r(call_body);
  run_root(default_scheduler(), r);
  r.take();
}

std::exception_ptr carry_exception() noexcept {
  std::exception_ptr e = std::current_exception();
  if (!e)
    fatal("a branch ended by an exception that C++ cannot carry to another thread (a foreign exception, pthread_exit or "
          "pthread_cancel); end branches by return or by a C++ exception");
  return e;
}

bool handles_cancelled() noexcept {
  // Of a foreign exception, for which the first is null, the type is whatever lies before it in memory.
  return std::current_exception() != nullptr && *abi::__cxa_current_exception_type() == typeid(cancelled);
}

}  // namespace heist::detail
