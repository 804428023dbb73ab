#include <heist/base/cpu.hpp>
#include <heist/check/chaos.hpp>
#include <heist/sched/robbery.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/wait.hpp>

#include <algorithm>
#include <span>

namespace heist::detail {

// What others have stolen along comes first: nobody has begun it, and it costs a lock.
// model: idle.pml, rob(); deque_ops.pml, steal()
stolen_job robbery::run() noexcept {
  thief_.steal_attempts.add();
  if (how_ == heist::steal::half && !thread_at(victim_).stock.seems_empty())
    if (const stolen_job j = rob_stock(); j.what != nullptr) return j;
  return victim_.jobs.seems_empty() ? stolen_job{} : rob_deque();
}

// A caller works on its own root only. A thread that has no stack keeps its strands where they are, and must not have jobs
// that nobody begins meanwhile.
bool robbery::may_take_several() noexcept {
  return how_ == heist::steal::half && !thief_.lent() && thief_.at.get()->running.get() != nullptr && thief_.stock.make_room();
}

void robbery::keep(std::span<const stolen_job> along) noexcept {
  thief_.stolen_along.add(along.size());
  pool_.stocked.put(thief_.stock, along);
}

[[gnu::noinline]] stolen_job robbery::rob_stock() noexcept {
  const nanoseconds start = now();
  std::array<stolen_job, stock::most> got;
  const std::size_t most = may_take_several() ? stock::most : 1;
  const std::size_t n = pool_.stocked.rob(thread_at(victim_).stock, std::span(got).first(most));
  if (n == 0) return {};
  count_steal(got[0].victim, start);
  for (stolen_job& j : std::span(got).first(n)) j.over = over_;
  keep(std::span(got).subspan(1, n - 1));
  thief_.paid.set(now() - start);
  return got[0];
}

// Takes what is shared. If nothing is, asks for it; if the owner does not answer, runs a heavy fence.
stolen_job robbery::rob_deque() noexcept {
  const nanoseconds start = now();
  steal_result got = claim_shared();
  if (got == steal_result::kept && ask_to_share()) got = claim_shared();
  if (got == steal_result::kept && !pool_.fences.owners_share()) got = claim_kept();
  if (got == steal_result::lost || got == steal_result::unfenced) thief_.lost.add();
  if (got != steal_result::stolen) return {};
  count_steal(victim_.by.get()->index, start);
  if (size_ > 1) keep_all_but_first();
  thief_.paid.set(std::min(now() - start, 2 * pool_.fences.heavy_cost()));  // capped: it may have lost its core
  wait::give_up(victim_);  // if that was the last job of a seat whose strand waits
  return taken(0);
}

void robbery::count_steal(unsigned from, nanoseconds start) noexcept {
  thief_.steals.add();
  if (shape_ != nullptr && shape_->between(thief_.seen_on.get(), thread_at(victim_).seen_on.get()) == distance::far) {
    thief_.far_steals.add();
    over_ = reach::far;
    for (int i = 0; i < 16; ++i) chaos::step(chaos::at::claimed);  // in chaos builds it takes longer
  }
  if (thief_.lane != nullptr) [[unlikely]]
    thief_.lane->note_theft(from, start, over_);
}

steal_result robbery::claim_shared() noexcept {
  auto jobs = victim_.jobs.thief();
  if (may_take_several()) {
    const auto r = jobs.steal_several(seen_.data(), stock::most, note_taker());
    size_ = static_cast<std::size_t>(r.size);
    return r.outcome;
  }
  const auto r = jobs.steal(note_taker());
  seen_[0] = r.item;
  travels_ = r.tagged;
  size_ = 1;
  return r.outcome;
}

steal_result robbery::claim_kept() noexcept {
  const nanoseconds start = now();
  auto jobs = victim_.jobs.thief();
  steal_result got;
  bool fenced;
  if (may_take_several()) {
    const auto r = jobs.steal_several_kept(seen_.data(), stock::most, note_taker());
    got = r.outcome, fenced = r.fenced;
    size_ = static_cast<std::size_t>(r.size);
  } else {
    const auto r = jobs.steal_kept(note_taker());
    got = r.outcome, fenced = r.fenced;
    seen_[0] = r.item;
    travels_ = r.tagged;
    size_ = 1;
  }
  if (got == steal_result::unfenced) pool_.fences.lose_heavy();
  if (fenced) {
    thief_.heavy_fences.add();
    pool_.fences.learn(now() - start);
  }
  return got == steal_result::lost ? claim_shared() : got;  // it has answered after all
}

stolen_job robbery::taken(std::size_t i) const noexcept {
  stolen_job j{seen_[i], noted_.its, &victim_, victim_.by.get()->index, over_, size_ == 1 && travels_};
  j.its.measured = seat::measures(noted_.measured_from, noted_.at.next(static_cast<std::int64_t>(i)));
  return j;
}

// model: idle.pml, stock_up()
[[gnu::noinline]] void robbery::keep_all_but_first() noexcept {
  std::array<stolen_job, stock::most> along;
  for (std::size_t i = 1; i < size_; ++i) along[i - 1] = taken(i);
  keep(std::span(along).first(size_ - 1));
}

// A victim that did not answer last time is in a long strand: it is asked, but not waited for.
bool robbery::ask_to_share() noexcept {
  if (!victim_.asked(request::share)) victim_.ask(request::share);
  if (victim_.deaf.load(std::memory_order_relaxed)) return victim_.jobs.seems_shared();
  const nanoseconds deadline = now() + pool_.fences.patience(pool_.victims.read().size);
  do {
    for (int i = 0; i < 8; ++i) {
      if (victim_.jobs.seems_shared()) return true;
      relax();
    }
    if (victim_.jobs.seems_empty()) return false;
    if (!victim_.asked(request::share)) victim_.ask(request::share);  // it has answered, and somebody was faster
  } while (now() < deadline);
  victim_.deaf.store(true, std::memory_order_relaxed);
  return victim_.jobs.seems_shared();
}

}  // namespace heist::detail
