#include <heist/sched/scheduler.hpp>
#include <heist/sched/turns.hpp>

namespace heist::detail {

void turns::want() noexcept {
  // order[turns.want]: after the strand or job was counted; look() takes the wish back, then looks for such
  if (wanted_.load(std::memory_order_seq_cst) || wanted_.exchange(true, std::memory_order_seq_cst)) return;
  if (pool_.timers.wake()) return;
  // Without a thread that keeps the time, all turns are short.
  // order[turns.want]: before the workers look; what is not seen will be wanted again
  wanted_.store(false, std::memory_order_seq_cst);
  begin_turn();
}

nanoseconds turns::look() noexcept {
  if (!wanted_.load(std::memory_order_relaxed)) return next_ = never;
  const nanoseconds time = detail::now();
  if (next_ == never) return next_ = time + length;
  if (time < next_) return next_;
  // order[turns.want]: then look: what is not seen will be wanted again
  wanted_.store(false, std::memory_order_seq_cst);
  if (!pool_.any_queued()) return next_ = never;
  wanted_.store(true, std::memory_order_relaxed);
  begin_turn();
  // What no caller does. With a cap, callers give their places up instead: wait::give_way().
  if (!pool_.callers.capped() && (!pool_.injected.empty() || pool_.waits.any_of(nullptr))) pool_.service.relieve();
  return next_ = time + length;
}

void turns::begin_turn() noexcept {
  turn_.fetch_add(1, std::memory_order_relaxed);
  pool_.callers.recall_all();
  pool_.victims.read().for_each([](seat& s) {
    if (s.left_by.load(std::memory_order_relaxed) == nullptr) s.ask(request::look);
  });
}

}  // namespace heist::detail
