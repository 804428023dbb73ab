#include <heist/check/chaos.hpp>
#include <heist/sched/arrivals.hpp>
#include <heist/sched/suspend.hpp>
#include <heist/sched/wait.hpp>
#include <heist/sleep/parking.hpp>

namespace heist::detail {

void arrivals::reset() noexcept {
  stolen_ = 0;
  balance_.store(awake, std::memory_order_relaxed);
  bed_ = nullptr;
  rest_ = nullptr;
}

// model: scope.pml, arrive()
stack* arrivals::arrive() noexcept {
  chaos::step(chaos::at::arriving);
  // order[scope.arrive]: the strand sees what the child did; the last arriver sees the strand parked
  if (balance_.fetch_add(1, std::memory_order_acq_rel) != -1) return nullptr;
  // The strand is parked, and we are the last: the books are there until we resume it.
  if (rest_ != nullptr)
    rest_->resume();
  else if (bed_ != nullptr)
    bed_->post();
  else
    return resumed(*parked_);
  return nullptr;
}

bool arrivals::arrive_in_bed() noexcept {
  // order[scope.arrive]: what the others did
  return balance_.fetch_add(1, std::memory_order_acq_rel) == -1;
}

bool arrivals::expect_last_at(stack& parked) noexcept {
  parked_ = &parked;
  return expect_last();
}

bool arrivals::expect_last_at(wait& rest) noexcept {
  rest_ = &rest;
  return expect_last();
}

bool arrivals::expect_last_at(parking& bed) noexcept {
  bed_ = &bed;
  return expect_last();
}

// model: scope.pml, expect_last()
bool arrivals::expect_last() noexcept {
  const std::int64_t all = stolen_ + awake;
  chaos::step(chaos::at::reckoning);
  // order[scope.arrive]: the stack is complete; if all are here, what they did
  const bool all_here = balance_.fetch_sub(all, std::memory_order_acq_rel) == all;
  chaos::step(chaos::at::reckoned);
  return all_here;
}

}  // namespace heist::detail
