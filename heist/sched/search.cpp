#include <heist/base/cpu.hpp>
#include <heist/check/chaos.hpp>
#include <heist/fence/fence.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/robbery.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/search.hpp>
#include <heist/sched/wait.hpp>

#include <algorithm>
#include <thread>

namespace heist::detail {

namespace {
// The last job may have used much stack, and the next one may run here for long.
[[gnu::noinline]] void trim_below_here() noexcept {
  seat& s = *this_seat();
  stack_cache& cache = thread_at(s).stacks;
  stack* const mine = s.running.get();
  if (mine == nullptr || !cache.wants_check(*mine)) return;
  mine->stand_at(__builtin_frame_address(0));
  cache.trim(*mine);
}
}  // namespace

stack* search::work() noexcept {
  for (;;) {
    // Read again each time: the job may have moved to another worker, and this stack with it.
    seat& s = *this_seat();
    pool_thread& t = thread_at(s);
    s.note(trace_event::kind::end);
    const catch_of found = t.lent() ? catch_of{} : s.pool.search.find(t);
    if (found.ready != nullptr) return wait::take_up(*found.ready);
    if (found.what == nullptr) return nullptr;
    if (stack* const next = run_stolen(*found.what)) return next;
    trim_below_here();
  }
}

// Searches for a bounded time. Nothing if the worker must go home and sleep; if it has searched, it
// still counts as searching.
// model: idle.pml, thread()
search::catch_of search::find(pool_thread& t) noexcept {
  clock_out(t);
  if (t.retired.get() || pool_.service.retires(t)) {
    // It may have been roused for work that another must do now.
    if (t.searching.replace(false)) end_search();
    return {};
  }
  if (t.mail.load(std::memory_order_relaxed) > 0) [[unlikely]] {
    if (job* const j = pool_.seats.take_mail(t)) {
      t.paid.set(0);
      if (t.searching.replace(false)) end_search();
      begin_work(t);
      return {j};
    }
  }
  if (!t.searching.get()) {
    if (job* const j = take_injected_in_turn(t)) {
      begin_work(t);
      if (pool_.any_queued()) wait::urge(pool_, resumer::worker);
      return {j};
    }
    if (wait* const w = pool_.waits.take()) return {nullptr, w};
    if (job* const j = take_from_stock(t)) return {j};
    judge_catch(t);
    if (patience(t) > 0) return {};
    pool_.allotment.look();
    t.searching.set(true);
    pool_.sleepers.begin_search();
  }
  note_processor(t);
  const nanoseconds deadline = now() + time_;
  for (unsigned round = 1; !pool_.seats.stopping(); ++round) {
    if (const catch_of found = look_around(t)) {
      t.searching.set(false);
      chaos::step(chaos::at::found);
      // Before it works: so the pool wakes up exponentially, one worker at a time, and none is
      // woken for nothing.
      end_search();
      if (found.what != nullptr) begin_work(t);  // else take_up() does, at the seat where it goes on
      return found;
    }
    if (now() >= deadline) break;
    for (unsigned i = 0; i < std::min(round, 16u); ++i) relax();
    // If workers outnumber cores, the worker that has the work may be waiting for this core.
    if (round % 8 == 0) std::this_thread::yield();
  }
  // One that was left to its worker, and is still there: nobody lies down beside it.
  if (wait* const w = pool_.seats.stopping() ? nullptr : pool_.waits.take()) {
    t.searching.set(false);
    end_search();
    return {nullptr, w};
  }
  t.fruitless.set(std::min(t.fruitless.get() + 1, most_fruitless));
  return {};
}

// A searcher stops. Those that saw it search have left it to it to wake the next, and to see to strands that can go on.
void search::end_search() noexcept {
  if (pool_.sleepers.end_search()) pool_.seats.rouse_one();
  if (pool_.any_queued() && pool_.sleepers.searching() == 0) wait::urge(pool_, resumer::other);
}

// One round: those that can go on, what came from outside, and as many random victims as there are others.
search::catch_of search::look_around(pool_thread& t) noexcept {
  if (job* const j = take_injected_in_turn(t)) return {j};
  if (wait* const w = pool_.waits.take(t.in_sight)) return {nullptr, w};
  if (job* const j = take_injected(t)) return {j};
  const auto victims = pool_.victims.read();
  for (unsigned i = 1; i < victims.size; ++i) {
    seat& victim = choose(t, victims);
    if (const stolen_job j = robbery(pool_, how_, shape_, t, victim).run(); j.what != nullptr) return {accept(t, j)};
  }
  return {};
}

job* search::take_injected(pool_thread& t) noexcept {
  const injector::item i = pool_.injected.take();
  if (i.what == nullptr) return nullptr;
  t.paid.set(0);
  t.in_a_row.set(0);
  return accept(t, i);
}

// Strands that can go on come first, or there would be ever more that have begun and not ended. But they may never be all
// gone.
job* search::take_injected_in_turn(pool_thread& t) noexcept {
  return t.in_a_row.get() >= most_in_a_row ? take_injected(t) : nullptr;
}

seat& search::choose(pool_thread& thief, const victim_list::view& among) const noexcept {
  // The last one stands in for the thief's own, so each of the others is as likely as any. Seats may move meanwhile: then the
  // thief may meet its own after all, and finds nothing there.
  auto uniform = [&] {
    seat& victim = among[thief.dice.below(among.size - 1)];
    return &victim != thief.at.get() ? &victim : &among[among.size - 1];
  };
  if (!near_) return *uniform();
  return *draw_near(thief.dice, uniform, [&](seat* victim) {
    return shape_->between(thief.seen_on.get(), thread_at(*victim).seen_on.get());
  });
}

// A job that was stolen must not begin at the seat where it was pushed: fork_place::stolen() would take it for one that its
// forker runs there. One that was stolen along with another may come back.
job* search::accept(pool_thread& t, const stolen_job& j) noexcept {
  if (j.from == t.at.get()) pool_.seats.change(t);
  t.at.get()->accept(j.its);
  return j.what;
}

// See protocols/stealing.md, "A thief from outside".
job* search::rob_traveller(pool_thread& thief) noexcept {
  const auto victims = pool_.victims.read();
  const unsigned first = victims.size > 0 ? thief.dice.below(victims.size) : 0;
  for (unsigned i = 0; i < victims.size; ++i) {
    seat& victim = victims[(first + i) % victims.size];
    if (&victim == thief.at.get()) continue;
    for (int moved = 0; moved <= most_moved; ++moved) {
      const auto older = victim.jobs.thief().before_tagged();
      if (older < 0 || older > most_moved - moved) break;
      const stolen_job got = robbery(pool_, heist::steal::one, shape_, thief, victim).run();
      if (got.what == nullptr) break;
      if (got.travels) return accept(thief, got);
      pool_.inject(got);
    }
  }
  return nullptr;
}

// A steal is judged by all that it brought: judge_catch() comes when the stock is empty.
job* search::take_from_stock(pool_thread& t) noexcept {
  const stolen_job j = pool_.stocked.take(t.stock);
  if (j.what == nullptr) return nullptr;
  if (t.lane != nullptr) [[unlikely]]
    t.lane->note_theft(j.victim, now(), j.over);
  accept(t, j);
  clock_in(t);
  invite(t);
  return j.what;
}

// model: idle.pml, begin_work()
void search::begin_work(pool_thread& t) noexcept {
  t.busy_since.set(now());
  clock_in(t);
  invite(t);
}

void search::start_clock(pool_thread& t) noexcept {
  t.working_since.set(now());
  pool_.feedback.begin();
}

void search::stop_clock(pool_thread& t) noexcept {
  if (const nanoseconds since = t.working_since.replace(0); since != 0) t.worked.set(t.worked.get() + now() - since);
}

void search::invite(pool_thread& t) noexcept {
  if (pool_.sleepers.anybody_asleep())
    t.at.get()->ask(request::wake);
  else if (pool_.sleepers.searching() > 0)
    t.at.get()->jobs.owner().trip();  // somebody wants the first branch: it is shared at once
}

// A steal is not worth it if its work lasts less than twice what it cost: in a flat loop of tiny spawns every steal takes the
// rest of the loop, which is stolen back at once.
void search::judge_catch(pool_thread& t) noexcept {
  const bool tiny = now() - t.busy_since.get() < 2 * t.paid.get();
  t.tiny.set(tiny ? std::min(t.tiny.get() + 1, most_fruitless) : 0);
  if (!tiny) t.fruitless.set(0);
}

// After several fruitless searches in a row a worker backs off before it asks for wake-ups again, longer each time.
nanoseconds search::patience(const pool_thread& t) const noexcept {
  const nanoseconds steal = pool_.fences.heavy_cost();
  // After tiny steals an eighth: the next one may be large, as in an unbalanced tree.
  auto wait = [&](unsigned times, unsigned most) {
    return times < 3 ? 0 : std::min(steal << times, steal * most);
  };
  return std::max(wait(t.fruitless.get(), most_backoff_), wait(t.tiny.get(), most_backoff_ / 8));
}

void search::get_up(pool_thread& t) noexcept {
  sit_at(t.at.get());  // a caller in its place may have left another seat there
  t.processor.arrive();
  t.searching.set(true);
  t.wakes.add();
  t.at.get()->note(trace_event::kind::wake);
}

// model: idle.pml, thread(); deque_limit.pml, asker()
void search::sleep(pool_thread& t) noexcept {
  pool_.allotment.look();  // before it is listed: whoever rouses it may narrow its mask
  t.stacks.hand_back();
  t.sleeps.add();
  t.at.get()->note(trace_event::kind::sleep);
  const nanoseconds nap = patience(t);
  const idle::rest how = nap > 0 ? idle::rest::nap : idle::rest::sleep;
  chaos::step(chaos::at::lying_down);
  // Listed: from here on a caller from outside may take the seat, so it is not touched until we are
  // up.
  if (t.searching.replace(false))
    pool_.sleepers.lie_down(t, how);
  else
    pool_.sleepers.add_asleep(t, how);
  // If posted meanwhile, the seat was lent, came back, and was roused; or the pool is ending.
  const bool roused = nap > 0 && t.bed.wait_for(nap);
  if (!roused && nap > 0) pool_.sleepers.end_nap(t);
  if (!roused && (ask_and_look() || t.mail.load(std::memory_order_relaxed) > 0)) {
    chaos::step(chaos::at::getting_up);
    if (pool_.sleepers.get_up(t)) {
      sit_at(t.at.get());
      t.searching.set(true);
      t.at.get()->note(trace_event::kind::get_up);
      return;
    }
    // Roused, or the seat was borrowed: then the work that we saw is for another worker.
    pool_.seats.rouse_one();
    if (pool_.any_queued()) wait::urge(pool_, resumer::other);  // whoever saw us search has relied on us
  }
  if (!roused) pool_.outside.lies_down();
  if (!roused) rest(t);
  get_up(t);
}

// Until it is roused. If strands wait, the stacks of those that have ended are kept for the next; but not for long.
void search::rest(pool_thread& t) noexcept {
  while (pool_.stacks.keeps_a_burst()) {
    if (t.bed.wait_for(stack_supply::lately)) return;
    pool_.stacks.settle();
  }
  t.bed.wait();
}

// model: idle.pml, ask_and_look(); deque_limit.pml, asker()
bool search::ask_and_look() noexcept {
  pool_.victims.read().for_each([](seat& s) { s.ask(request::wake); });
  chaos::step(chaos::at::wakes_asked);
  // order[deque.limit]: their bottom is seen here, or they see the limit that we lowered. A fence that fails shows work
  // that may not be there: the caller searches on.
  if (pool_.fences.pushers_fence()) {
    full_fence();
  } else if (!heavy_fence()) {
    pool_.fences.lose_heavy();
    return true;
  }
  chaos::step(chaos::at::looked);
  return work_in_sight();
}

// model: idle.pml, ask_and_look()
bool search::work_in_sight() noexcept {
  bool seen = !pool_.injected.empty() || pool_.waits.any_ready() || pool_.stocked.any();
  pool_.victims.read().for_each([&](seat& s) { seen = seen || !s.jobs.seems_empty(); });
  return seen;
}

}  // namespace heist::detail
