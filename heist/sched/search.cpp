// What a worker does when it has nothing to do: search, back off, sleep. The protocol is in sleep/README.md.

#include <heist/base/chaos.hpp>
#include <heist/base/cpu.hpp>
#include <heist/base/fatal.hpp>
#include <heist/fence/fence.hpp>
#include <heist/sched/hunger.hpp>
#include <heist/sched/scheduler.hpp>

#include <algorithm>
#include <new>
#include <utility>

namespace heist::detail {

// model: deque_limit.pml, tripped()
void worker::tripped() noexcept {
  seat& s = static_cast<seat&>(*this);
  auto end = jobs.owner();
  pool.must_be_here();
  end.mark_fenced();
  // order[fence.full]: our bottom before their request, where no heavy fence sees to it
  if (pool.pushers_fence()) full_fence();
  chaos::step(chaos::at::tripped);
  const unsigned asked = s.requests.load(std::memory_order_seq_cst);
  constexpr unsigned standing = static_cast<unsigned>(request::fences) | static_cast<unsigned>(request::meter);
  if (asked != 0 && (asked & ~standing) == 0 && end.has_room()) return;
  if ((asked & static_cast<unsigned>(request::look)) != 0) s.withdraw(request::look);
  if ((asked & static_cast<unsigned>(request::sign)) != 0) {
    // Withdrawn before we ask who sleeps: who lies down later asks again.
    s.withdraw(request::sign);
    chaos::step(chaos::at::withdrawn);
    pool.give_sign();
  }
  if_there_is_memory("no memory for a larger deque of jobs; the recursion is too deep, or the machine too full",
                     [&] { end.make_room(); });
  chaos::step(chaos::at::room_made);
  // order[deque.trip]: the limit is raised; whoever asked before that is seen here
  if (s.requests.load(std::memory_order_seq_cst) != 0) jobs.trip();
}

// The job may have been deep, and the next one may run here for long.
[[gnu::noinline]] void scheduler::trim_below_here() noexcept {
  seat& s = *this_seat();
  stack* const mine = s.running.get();
  if (mine == nullptr || !s.stacks.wants_check(*mine)) return;
  mine->stand_at(__builtin_frame_address(0));
  s.stacks.trim(*mine);
}

stack* scheduler::work() noexcept {
  for (;;) {
    // Read anew each time: the job may have moved to another worker, and this stack with it.
    seat& s = *this_seat();
    s.note(trace_event::kind::end);
    job* const j = s.lent() ? nullptr : s.pool.search(s);
    if (j == nullptr) return nullptr;
    if (stack* const next = run_stolen(*j)) return next;
    trim_below_here();
  }
}

// Searches for a bounded time. Null: the worker shall go home and sleep; if it has searched it counts as searching.
// model: idle.pml, thread()
job* scheduler::search(seat& s) noexcept {
  if (!s.searching.get()) {
    judge_catch(s);
    if (patience(s) > 0) return nullptr;
    s.searching.set(true);
    idle_.begin_search();
  }
  const nanoseconds deadline = now() + search_time_;
  for (unsigned round = 1; !stopping_.load(std::memory_order_relaxed); ++round) {
    if (job* const j = look_around(s)) {
      s.searching.set(false);
      chaos::step(chaos::at::found);
      // Before it works: so the pool wakes up exponentially, one at a time, and nobody is woken for nothing.
      if (idle_.end_search()) rouse_one();
      begin_work(s);
      return j;
    }
    if (now() >= deadline) break;
    for (unsigned i = 0; i < std::min(round, 16u); ++i) relax();
    // Where workers outnumber cores, whoever has the work may be waiting for this one.
    if (round % 8 == 0) std::this_thread::yield();
  }
  s.vain.set(std::min(s.vain.get() + 1, most_vain));
  return nullptr;
}

// One round: as many uniformly random victims as there are.
job* scheduler::look_around(seat& s) noexcept {
  if (const auto [j, mode, scope] = injected_.take(); j != nullptr) {
    s.paid.set(0);
    s.mode.set(mode);
    s.measured_from.set(program_profile_ != nullptr ? 0 : seat::never);
    mode.apply();
    return j;
  }
  const auto victims = victims_.read();
  for (unsigned i = 0; i < victims.size; ++i) {
    seat& victim = victims[s.dice.below(victims.size)];
    if (&victim == &s) continue;
    if (job* const j = rob(s, victim)) return j;
  }
  return nullptr;
}

// model: idle.pml, rob(); two victims under one fence, which it does not do: deque_two_victims.pml, thief_of_both()
job* scheduler::rob(seat& thief, seat& victim) noexcept {
  thief.steal_attempts.add();
  if (victim.jobs.seems_empty()) return nullptr;
  fp_mode mode{};
  bool measured = false;
  const nanoseconds start = now();
  const auto r = victim.jobs.thief().steal([&](std::int64_t index) {
    mode = victim.mode.get();
    measured = index >= victim.measured_from.get();
  });
  if (r.fence != theft_fence::none)
    change_fences(governor_.count(r.fence, now() - start, owners_fence_.load(std::memory_order_relaxed)));
  if (r.outcome == theft::lost && r.fence == theft_fence::none) lose_heavy_fence();
  if (r.outcome == theft::lost) thief.lost.add();
  if (r.outcome != theft::stolen) return nullptr;
  thief.steals.add();
  thief.paid.set(std::min(now() - start, 2 * governor_.heavy_cost()));  // it may have lost its core
  if (thief.lane != nullptr) [[unlikely]]
    thief.lane->note_theft(victim.index, start);
  thief.mode.set(mode);
  thief.measured_from.set(measured ? 0 : seat::never);
  mode.apply();
  return r.item;
}

// model: idle.pml, begin_work()
void scheduler::begin_work(seat& s) noexcept {
  s.busy_since.set(now());
  if (idle_.anybody_asleep()) s.ask(request::sign);
}

bool thief_at_hand() noexcept {
  seat& s = *this_seat();
  const unsigned spared = s.loops_to_spare.get();
  if (spared == 0) return s.pool.has_searchers();  // a line that others write: not for every short loop
  s.loops_to_spare.set(spared - 1);
  return false;
}

// A thief who was expected costs some hundred nanoseconds when it comes, and a fence when not. Loops that are over in a
// microsecond come in hundreds: most of them are left to thieves who pay themselves, and will be too late.
void note_half(std::uint64_t ticks) noexcept {
  this_seat()->loops_to_spare.set(ticks < ten_microseconds_in_ticks() / 10 ? 64 : 0);
}

// A catch that lasts less than twice what its steal cost was in vain: in a flat loop of tiny spawns every steal takes the rest of
// the loop, and is robbed of it at once. So was a search that found nothing after somebody had given a sign.
void scheduler::judge_catch(seat& s) noexcept {
  const bool tiny = now() - s.busy_since.get() < 2 * s.paid.get();
  s.tiny.set(tiny ? std::min(s.tiny.get() + 1, most_vain) : 0);
  if (!tiny) s.vain.set(0);
}

// Who has toiled in vain several times in a row sleeps a while before it asks for signs again, longer each time.
nanoseconds scheduler::patience(const seat& s) const noexcept {
  const nanoseconds steal = governor_.heavy_cost();
  // After tiny catches an eighth: the next one may be large, as in an unbalanced tree.
  auto wait = [&](unsigned times, unsigned most) {
    return times < 3 ? 0 : std::min(steal << times, steal * most);
  };
  return std::max(wait(s.vain.get(), most_backoff_), wait(s.tiny.get(), most_backoff_ / 8));
}

// Pool thread, at home. Returns when it is a searcher again.
// model: idle.pml, thread(); deque_limit.pml, asker()
void scheduler::sleep(seat& s) noexcept {
  s.stacks.hand_back();
  s.sleeps.add();
  s.note(trace_event::kind::sleep);
  const nanoseconds nap = patience(s);
  const idle::rest how = nap > 0 ? idle::rest::nap : idle::rest::sleep;
  chaos::step(chaos::at::lying_down);
  // Listed: from here on a caller from outside may sit on the seat, so nothing of it is touched until we are up.
  if (s.searching.replace(false))
    idle_.lie_down(s, how);
  else
    idle_.add_asleep(s, how);
  // Thieves that rest need no help from owners.
  if (nap == 0) change_fences(fence_governor::verdict::go_asymmetric);
  // Posted meanwhile: the seat was lent, came back as any other, and was roused; or the pool is at its end.
  const bool roused = nap > 0 && s.bed.wait_for(nap);
  if (!roused && nap > 0) idle_.end_nap(s);
  if (!roused && ask_and_look()) {
    chaos::step(chaos::at::getting_up);
    if (idle_.get_up(s)) {
      s.searching.set(true);
      s.note(trace_event::kind::get_up);
      return;
    }
    // Roused, or the seat was borrowed: then what we saw is somebody else's to take.
    rouse_one();
  }
  if (!roused) s.bed.wait();
  s.processor.arrive();
  s.searching.set(true);  // counted by whoever roused us
  s.wakes.add();
  s.note(trace_event::kind::wake);
}

// After somebody has been listed as asleep: every worker gives a sign at its next fork, and work that was left before
// is seen here.
// model: idle.pml, ask_and_look(); deque_limit.pml, asker()
bool scheduler::ask_and_look() noexcept {
  victims_.read().for_each([](seat& s) { s.ask(request::sign); });
  chaos::step(chaos::at::signs_asked);
  // order[deque.limit]: their bottom is seen here, or they see the limit that we lowered. A fence that fails shows work
  // that may not be there: the caller searches on.
  if (pushers_fence()) {
    full_fence();
  } else if (!heavy_fence()) {
    lose_heavy_fence();
    return true;
  }
  chaos::step(chaos::at::looked);
  return work_in_sight();
}

// model: idle.pml, ask_and_look()
bool scheduler::work_in_sight() noexcept {
  bool seen = !injected_.empty();
  victims_.read().for_each([&](seat& s) { seen = seen || !s.jobs.seems_empty(); });
  return seen;
}

void scheduler::sound_alarm() noexcept {
  victims_.read().for_each([](seat& s) { s.ask(request::look); });
}

void scheduler::begin_metering() noexcept {
  meters_.fetch_add(1, std::memory_order_relaxed);
  victims_.for_all([&](seat& s) { ask_for_meter(s); });
}

void scheduler::end_metering() noexcept {
  meters_.fetch_sub(1, std::memory_order_relaxed);
  victims_.for_all([&](seat& s) { ask_for_meter(s); });
}

// Under the victims' lock: of two that begin and end, the last one here has seen both.
void scheduler::ask_for_meter(seat& s) noexcept {
  meters_.load(std::memory_order_relaxed) > 0 ? s.ask(request::meter) : s.withdraw(request::meter);
}

// model: deque_limit.pml, governor()
void scheduler::change_fences(fence_governor::verdict v) noexcept {
  if (!govern_ || v == fence_governor::verdict::keep) return;
  const bool owners = v == fence_governor::verdict::go_symmetric || pushers_fence();
  if (owners_fence_.load(std::memory_order_relaxed) == owners) return;
  // Each item says in its slot how it will be popped, so owners may change over one by one, each at its own pace.
  victims_.for_all([&](seat& s) {
    owners_fence_.store(owners, std::memory_order_relaxed);
    owners ? s.ask(request::fences) : s.withdraw(request::fences);
  });
}

// The kernel refuses what it did before: the process has gone into a sandbox. From here on everybody pays for its own
// fences. What was pushed without one stays with its owner.
void scheduler::lose_heavy_fence() noexcept {
  if (!heavy_works_.exchange(false, std::memory_order_relaxed)) return;
  victims_.for_all([&](seat& s) {
    owners_fence_.store(true, std::memory_order_relaxed);
    s.ask(request::fences);
  });
}

}  // namespace heist::detail
