#include <heist/sched/scheduler.hpp>
#include <heist/sched/unattached.hpp>
#include <heist/strand/apart.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/strand/worker.hpp>
#include <heist/wait/future_state.hpp>

#include <mutex>
#include <new>
#include <unordered_set>
#include <utility>
#include <vector>

namespace heist::detail {

// Who is told ----------------------------------------------------------------------------------------------------------

void agenda::add(listener* first, listener* last) noexcept {
  if (first == nullptr) return;
  (last_ == nullptr ? first_ : last_->after) = first;
  last_ = last;
}

void agenda::work() noexcept {
  while (first_ != nullptr) {
    listener& l = *first_;
    first_ = l.after;  // before it may be gone
    if (first_ == nullptr) last_ = nullptr;
    l.tell(l, *this);
  }
}

#if defined(HEIST_RACE)
void future_state::note_asked() noexcept { asked_ = race::here(); }
void future_state::note_end(race::moment* m) noexcept {
  if (m == nullptr) return;
  ended_.push_back(m);
  race::exempt(ended_.data());
}
void future_state::finish_at(race::moment* end) noexcept {
  note_end(end);
  // order[future.ready]: as in finish()
  stage_.store(stage::ready, std::memory_order_release);
}
#endif

future_state::~future_state() {
#if defined(HEIST_RACE)
  for (race::moment* const m : ended_) race::forget(m);
  race::forget(asked_);
#endif
  const std::unique_ptr<belongings> unasked(left_.load(std::memory_order_relaxed));  // the last owner has acquired all
  if (unasked) count_unasked(*unasked);
}

// Under the lock. False: it is ready.
bool future_state::make_heard() noexcept {
  stage before = stage::unheard;
  // order[future.ready]: if it is ready, the outcome
  stage_.compare_exchange_strong(before, stage::heard, std::memory_order_acquire, std::memory_order_acquire);
  return before != stage::ready;
}

waking future_state::await(nanoseconds deadline, const std::stop_token& token) {
  if (ready()) return waking::event;
  if (deadline == already_over) return waking::deadline;
  // The computation may take longer than a deadline, and knows nothing of the stop.
  if (this_worker() == nullptr && deadline == never && !token.stop_possible()) {
    help();
    if (ready()) return waking::event;
  }
  waiting me("a future");
  std::unique_lock hold(queue_lock(this));
  if (!make_heard()) return waking::event;
  return waiters_.await(me, hold, deadline, token);
}

// What waits for a worker ------------------------------------------------------------------------------------------------

void future_state::begun() noexcept {
  const std::lock_guard hold(queue_lock(this));
  queued_in_ = nullptr;
}

void future_state::made_of(lister f) noexcept {
  if (this_worker() == nullptr) sources_of_ = f;
}

void future_state::add_sources(std::vector<owned<future_state>>& to) {
  const std::lock_guard hold(queue_lock(this));
  if (sources_of_ != nullptr) sources_of_(*this, to);
}

// A thread from outside that waits for it: all workers may be busy for long. If there is no memory, it leaves it to them.
void future_state::help() noexcept {
  run_queued();
  if (sources_of_ == nullptr) return;
  try {
    std::vector<owned<future_state>> all, seen;  // what was seen is kept, so that no address is used again
    std::unordered_set<const future_state*> known;
    add_sources(all);
    while (!all.empty()) {  // the last first: workers begin with the first
      owned<future_state> s = std::move(all.back());
      all.pop_back();
      if (s->ready() || !known.insert(s.get()).second) continue;
      s->run_queued();
      s->add_sources(all);
      seen.push_back(std::move(s));
    }
  } catch (const std::bad_alloc&) {
  }
}

void future_state::run_queued() noexcept {
  scheduler* pool = nullptr;
  {
    const std::lock_guard hold(queue_lock(this));
    pool = queued_in_;
    if (pool == nullptr) return;
    pool->must_be_here();
    pool->loose.begin();  // the pool is there while a computation of its is out: this one is until we release the lock
  }
  pool->callers.help_with(ticket_);
  pool->loose.end();
}

bool future_state::listen(listener& l) noexcept {
  const std::lock_guard hold(queue_lock(this));
  if (!make_heard()) return false;
  l.listening = true;
  l.before = last_;
  l.after = nullptr;
  (last_ == nullptr ? first_ : last_->after) = &l;
  last_ = &l;
  return true;
}

bool future_state::forget(listener& l) noexcept {
  const std::lock_guard hold(queue_lock(this));
  if (!l.listening) return false;
  l.listening = false;
  (l.before == nullptr ? first_ : l.before->after) = l.after;
  (l.after == nullptr ? last_ : l.after->before) = l.before;
  return true;
}

void future_state::finish() noexcept {
  agenda all;
  finish(all);
  all.work();
}

void future_state::finish(agenda& later) noexcept {
#if defined(HEIST_RACE)
  note_end(race::here());
#endif
  stage before = stage::unheard;
  // order[future.ready]: whoever sees it ready sees the outcome
  if (stage_.compare_exchange_strong(before, stage::ready, std::memory_order_release, std::memory_order_relaxed)) return;
  woken_list woken;
  {
    const std::lock_guard hold(queue_lock(this));
    // order[future.ready]: as above
    stage_.store(stage::ready, std::memory_order_release);
    woken.add_all(waiters_);
    for (listener* l = first_; l != nullptr; l = l->after) l->listening = false;
    later.add(std::exchange(first_, nullptr), std::exchange(last_, nullptr));
  }
  woken.resume_all();
}

void future_state::fulfil() noexcept {
  leave(strand::end());
  finish();
  drop();
}

// What a computation has added to reducers ---------------------------------------------------------------------------

void future_state::leave(std::unique_ptr<belongings> all) noexcept {
  // finish() makes it visible
  if (all) left_.store(all.release(), std::memory_order_relaxed);
}

// One of several that ask at once gets it.
void future_state::receive_left() noexcept {
  // order[future.left]: of several that ask at once, one gets it all; finish() has made it visible
  std::unique_ptr<belongings> all(left_.exchange(nullptr, std::memory_order_acquire));
  if (!all) return;
  strand_clock* const mine = this_worker() != nullptr ? own_clock() : nullptr;
  const void* const from = point_ != nullptr ? point_ : this;
  if (mine != nullptr) {
    end_own_clock();
    if (all->clock) keep_belongings([&] {
        std::vector<strand_clock::queued_child> asked{{0, &*all->clock}};
        mine->join_queued(from, asked);  // if its beginning is not on this clock, it counts from here
        mine->sync(from);
      });
  }
  if (mine == nullptr) count_asked(*all, from);
  all->clock.reset();
  receive_belongings(std::move(all));
  if (mine != nullptr) mine->begin();
}

void future_state::begun_at(const void* point, belongings* leaves) noexcept {
  point_ = point;
  leave(std::unique_ptr<belongings>(leaves));
}

void future_state::call_apart(future_state& source, void (*body)(void*) noexcept, void* argument) noexcept {
#if defined(HEIST_RACE)
  // Beside the strand that happens to run it.
  race::place p;
  race::begin_future(p);
  race::after(asked_);
  source.receive();
  race::apart([&] { body(argument); });
  note_end(race::end_future(p));
  return;
#endif
  if (this_worker() == nullptr) {
    source.receive();
    return body(argument);
  }
  const apart outer;
  begin_own_clock();  // also of a measured strand that has left its clock in `source`
  point_ = source.point_;
  source.receive();
  body(argument);
  end_own_clock();
  leave(give_belongings());
}

void future_state::append_left(future_state& source) noexcept {
#if defined(HEIST_RACE)
  for (const race::moment* const m : source.ended_) note_end(race::copy(m));
#endif
  // order[future.left]: as in receive_left()
  std::unique_ptr<belongings> more(source.left_.exchange(nullptr, std::memory_order_acquire));
  if (point_ == nullptr) point_ = source.point_;
  if (!more) return;
  belongings* const here = left_.load(std::memory_order_relaxed);
  if (here == nullptr) return leave(std::move(more));
  keep_belongings([&] {
    if (here->clock && more->clock) here->clock->append_beside(*std::exchange(more->clock, std::nullopt));
    here->append(std::move(*more));
  });
}

void throw_future_error(std::future_errc why) { throw std::future_error{why}; }

}  // namespace heist::detail
