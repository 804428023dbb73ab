#pragma once
// While an alarm is on, a pool's strands check whether they are still wanted. See README.md,
// "Unwanted strands".

#include <heist/base/export.hpp>
#include <heist/sched/victims.hpp>

#include <atomic>

HEIST_BEGIN

namespace heist::detail {

class alarm {
 public:
  explicit alarm(victim_list& victims) noexcept : victims_(victims) {}

  // Any thread. The alarm is on from the first begin() to the last end(). Call sound() after
  // something has made strands unwanted: it sends every worker's next fork down the slow path.
  void begin() noexcept { on_.fetch_add(1, std::memory_order_relaxed); }
  void sound() noexcept;
  void end() noexcept { on_.fetch_sub(1, std::memory_order_relaxed); }

  const std::atomic<int>& count() const noexcept { return on_; }

 private:
  victim_list& victims_;
  std::atomic<int> on_{0};  // branches and scopes whose strands may be unwanted
};

}  // namespace heist::detail

HEIST_END
