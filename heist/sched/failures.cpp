#include <heist/cancelled.hpp>
#include <heist/sched/failures.hpp>
#include <heist/sched/fork.hpp>

#include <utility>

namespace heist::detail {

bool failures::fail(std::int64_t number) noexcept {
  const bool was_cancelled = handles_cancelled();
  keep(number, carry_exception(), was_cancelled);
  if (was_cancelled) return false;
  // Children after it need not continue. Those before it must: one of them may fail, too, and win.
  std::int64_t first = first_failed_.load(std::memory_order_relaxed);
  while (number < first && !first_failed_.compare_exchange_weak(first, number, std::memory_order_relaxed)) {
  }
  return true;
}

void failures::note_stopped(std::int64_t number) noexcept { keep(number, std::make_exception_ptr(cancelled()), true); }

void failures::keep(std::int64_t number, std::exception_ptr e, bool was_cancelled) noexcept {
  const std::lock_guard hold(lock_);
  if (what_ && std::pair(cancelled_, number_) < std::pair(was_cancelled, number)) return;
  number_ = number;
  cancelled_ = was_cancelled;
  what_ = std::move(e);
}

bool failures::reset() noexcept { return first_failed_.exchange(nobody, std::memory_order_relaxed) != nobody; }

std::exception_ptr failures::take() noexcept { return std::exchange(what_, nullptr); }

}  // namespace heist::detail
