#include <heist/check/chaos.hpp>
#include <heist/sched/stock.hpp>

#include <algorithm>
#include <mutex>
#include <new>

namespace heist::detail {

bool stock::make_room() noexcept {
  const std::lock_guard hold(lock_);
  if (jobs_ == nullptr) jobs_.reset(new (std::nothrow) stolen_job[most]);
  return jobs_ != nullptr;
}

// model: idle.pml, stock_up()
void stocks::put(stock& into, std::span<const stolen_job> jobs) noexcept {
  if (jobs.empty()) return;
  chaos::step(chaos::at::stocking);
  const std::lock_guard hold(into.lock_);
  std::copy(jobs.begin(), jobs.end(), into.jobs_.get());
  into.first_ = 0;
  into.size_.store(static_cast<unsigned>(jobs.size()), std::memory_order_relaxed);
  // order[idle.count]: before this searcher is counted off; a worker that lies down reads it after it is listed
  filled_.fetch_add(1, std::memory_order_seq_cst);
}

stolen_job stocks::take(stock& from) noexcept {
  if (from.seems_empty()) return {};
  const std::lock_guard hold(from.lock_);
  const unsigned n = from.size_.load(std::memory_order_relaxed);
  if (n == 0) return {};
  shrink(from, n - 1);
  return from.jobs_[from.first_ + n - 1];
}

std::size_t stocks::rob(stock& from, std::span<stolen_job> into) noexcept {
  if (from.seems_empty()) return 0;
  chaos::step(chaos::at::robbing);
  const std::lock_guard hold(from.lock_);
  const unsigned n = from.size_.load(std::memory_order_relaxed);
  if (n == 0) return 0;
  const unsigned taken = std::min((n + 1) / 2, static_cast<unsigned>(into.size()));
  std::copy_n(from.jobs_.get() + from.first_, taken, into.begin());
  from.first_ += taken;
  shrink(from, n - taken);
  return taken;
}

void stocks::shrink(stock& s, unsigned to) noexcept {
  s.size_.store(to, std::memory_order_relaxed);
  if (to == 0) filled_.fetch_sub(1, std::memory_order_relaxed);  // under its lock; a stale count only causes a fruitless look
}

}  // namespace heist::detail
