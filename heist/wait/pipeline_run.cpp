#include <heist/cancelled.hpp>
#include <heist/race/strands.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/unwanted.hpp>
#include <heist/scope.hpp>
#include <heist/wait/pipeline_run.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace heist::detail {

// Gates -------------------------------------------------------------------------------------------------------------

pipeline_item stage_gate::taken_;

void stage_gate::make(stage_kind of, std::size_t limit) {
  if (of != stage_kind::ordered) return;
  slots_.reset(new std::atomic<pipeline_item*>[limit]());
  size_ = limit;
  slots_[0].store(taken, std::memory_order_relaxed);
}

bool stage_gate::enter(pipeline_item& i) noexcept {
  if (slots_ != nullptr) {
    std::atomic<pipeline_item*>& slot = slots_[i.number % size_];
    // order[pipeline.gate]: what the last one in the stage did; and what has been done to the item, for who takes it along
    if (slot.exchange(&i, std::memory_order_acq_rel) != taken) return false;
    slot.store(nullptr, std::memory_order_relaxed);  // the next one with this slot comes after we have left
    return true;
  }
  pipeline_item* seen = nullptr;
  // order[pipeline.gate]: what the last one in the stage did
  if (state_.compare_exchange_strong(seen, taken, std::memory_order_acquire, std::memory_order_relaxed)) return true;
  for (;;) {
    pipeline_item* to = taken;
    if (seen != nullptr) {
      i.next = seen == taken ? nullptr : seen;
      to = &i;
    }
    // order[pipeline.gate]: as above
    if (state_.compare_exchange_weak(seen, to, std::memory_order_acq_rel, std::memory_order_relaxed)) return to == taken;
  }
}

pipeline_item* stage_gate::leave(const pipeline_item& i) noexcept {
  if (slots_ == nullptr) return leave_serial();
  std::atomic<pipeline_item*>& slot = slots_[(i.number + 1) % size_];
  // order[pipeline.gate]: for the next one in the stage; and what has been done to it so far
  pipeline_item* const next = slot.exchange(taken, std::memory_order_acq_rel);
  if (next != nullptr) slot.store(nullptr, std::memory_order_relaxed);
  return next;
}

pipeline_item* stage_gate::leave_serial() noexcept {
  if (waiting_ == nullptr) {
    pipeline_item* last = taken;
    // order[pipeline.gate]: for the next one in the stage
    if (state_.compare_exchange_strong(last, nullptr, std::memory_order_release, std::memory_order_relaxed)) return nullptr;
    // order[pipeline.gate]: what has been done to the items
    last = state_.exchange(taken, std::memory_order_acquire);
    while (last != nullptr) {
      pipeline_item* const before = last->next;
      last->next = waiting_;
      waiting_ = last;
      last = before;
    }
  }
  return std::exchange(waiting_, waiting_->next);
}

// The pipeline ------------------------------------------------------------------------------------------------------

namespace {
constexpr std::size_t most_items = 65'536;
constexpr std::uint64_t nobody = std::numeric_limits<std::uint64_t>::max();
}

pipeline_run::pipeline_run(std::size_t limit, const stage_kind* kinds, unsigned stages)
    : limit_(std::min(limit, most_items)),
      kinds_(kinds),
      stages_(stages),
      gates_(new stage_gate[stages]()),
      first_failed_(nobody) {
  for (unsigned i = 0; i < stages; ++i) gates_[i].make(kinds[i], limit_);
}

pipeline_run::~pipeline_run() = default;

void pipeline_run::refuse_limit() {
  throw std::invalid_argument("heist: a pipeline must have a limit of at least one item");
}

void pipeline_run::run(const std::stop_token& token) {
  auto body = [&] { run_in_pool(token); };
  if (this_worker() != nullptr)
    body();
  else
    call_through(run_outside, body);
}

void pipeline_run::run_in_pool(const std::stop_token& token) {
  token_ = &token;
  std::exception_ptr stopped;
  {
    scope s(token);
    feed(s);
    try {
      s.sync();
    } catch (const cancelled&) {  // items were not begun
      stopped = std::current_exception();
    }
  }
  if (failure_) std::rethrow_exception(std::move(failure_));
  if (stopped) std::rethrow_exception(std::move(stopped));
  if (cut_short_.load(std::memory_order_relaxed)) throw cancelled();
}

// The strand that has the source. The rest of the loop is left to thieves while an item is taken through the stages.
void pipeline_run::feed(scope& s) noexcept {
  while (pipeline_item* const i = take_free()) {
    if (!fetch_next(*i)) return;  // keeps the source for good
    s.spawn([this, &s, i] { advance(s, *i, 0); });
  }
}

// The strand that has the source: null if there are as many items as there may be; then the next item that ends takes the
// source.
pipeline_item* pipeline_run::take_free() noexcept {
#if defined(HEIST_RACE)
  // A new one for each item: one that is used again would tie items together that have nothing to do with each other.
  pipeline_item* const fresh = make();
  fresh->older = std::exchange(all_, fresh);
  return fresh;
#endif
  {
    const std::lock_guard hold(lock_);
    if (free_ != nullptr) return std::exchange(free_, free_->next);
    if (made_ == limit_) {
      source_taken_ = false;
      return nullptr;
    }
    ++made_;
  }
  try {
    pipeline_item* const i = make();
    i->older = std::exchange(all_, i);
    return i;
  } catch (...) {
    fail(fetched_);
    return nullptr;  // keeps the source for good
  }
}

// False: the source has no more, or must not be asked.
bool pipeline_run::fetch_next(pipeline_item& to) noexcept {
  if (!wanted(fetched_)) return false;
  try {
    stop_if_unwanted();
    if (!fetch(to)) return false;
  } catch (...) {
    fail(fetched_);
    return false;
  }
  to.number = fetched_++;
  return true;
}

// Takes the item through the stages from this one on, and takes along what waits where it leaves. Returns when what it has
// in hand has ended or waits.
void pipeline_run::advance(scope& s, pipeline_item& which, unsigned stage) noexcept {
  pipeline_item* i = &which;
  for (; stage != stages_; ++stage) {
    bool alive = true;
    if (kinds_[stage] == stage_kind::parallel) {
      alive = perform(stage, *i);
    } else {
      if (!gates_[stage].enter(*i)) return;
      for (;;) {
        alive = perform(stage, *i);
        pipeline_item* const next = gates_[stage].leave(*i);
        if (next == nullptr) break;
        if (alive) s.spawn([this, &s, i, stage] { advance(s, *i, stage + 1); });
        i = next;
      }
    }
    if (!alive) return;
  }
  if (give_back(*i)) feed(s);
}

// False: the item is dropped. It is not given back, so that no number is more than `limit_` after one that is missing.
bool pipeline_run::perform(unsigned stage, pipeline_item& with) noexcept {
  if (!wanted(with.number)) return false;
  try {
#if defined(HEIST_RACE)
    // One item at a time is in such a stage; in one that is ordered, after the item before it.
    if (kinds_[stage] != stage_kind::parallel) {
      const race::inside alone(&gates_[stage]);
      if (kinds_[stage] == stage_kind::ordered) race::acquire(&gates_[stage]);
      race::apart([&] { call(stage, with); });
      if (kinds_[stage] == stage_kind::ordered) race::release(&gates_[stage]);
      return true;
    }
#endif
    call(stage, with);
    return true;
  } catch (...) {
    fail(with.number);
    return false;
  }
}

// True: the caller has the source now.
bool pipeline_run::give_back(pipeline_item& i) noexcept {
  const std::lock_guard hold(lock_);
  i.next = std::exchange(free_, &i);
  return !std::exchange(source_taken_, true);
}

bool pipeline_run::wanted(std::uint64_t number) noexcept {
  if (number >= first_failed_.load(std::memory_order_relaxed)) return false;
  if (!token_->stop_requested()) return true;
  cut_short_.store(true, std::memory_order_relaxed);
  return false;
}

// In a catch (...).
void pipeline_run::fail(std::uint64_t number) noexcept {
  const bool was_cancelled = handles_cancelled();
  std::exception_ptr e = carry_exception();
  const std::lock_guard hold(lock_);
  if (number < first_failed_.load(std::memory_order_relaxed)) first_failed_.store(number, std::memory_order_relaxed);
  if (failure_ && std::pair(cancelled_, failed_) < std::pair(was_cancelled, number)) return;
  failed_ = number;
  cancelled_ = was_cancelled;
  failure_ = std::move(e);
}

}  // namespace heist::detail
