#pragma once
// A call that may block its thread in the kernel, and the thread that takes its place. See
// protocols/workers.md, "Blocked threads".

#include <heist/base/export.hpp>
#include <heist/sched/timers.hpp>

#include <memory>
#include <optional>

HEIST_BEGIN

namespace heist::detail {

class scheduler;
class worker;

// Lives in the calling frame for as long as the call takes. The thread may have come from other pools, whose strands called
// run(): it holds a worker's place in each of them.
class blocked_call {
 public:
  HEIST_API blocked_call() noexcept;
  HEIST_API ~blocked_call();
  blocked_call(const blocked_call&) = delete;
  blocked_call& operator=(const blocked_call&) = delete;

 private:
  explicit blocked_call(worker* w) noexcept;

  static constexpr nanoseconds patience = 100'000;

  scheduler* pool_ = nullptr;  // null: outside every pool
  std::unique_ptr<blocked_call> outer_;
  std::optional<timers::entry> alarm_;
  bool replaced_ = false;  // written by the alarm
};

// A strand that cannot leave its stack, around its wait for others: what it waits for may be in a stock, and all threads may
// wait like this one. So as long as there is a stock, another thread takes its place.
class blocked_strand {
 public:
  blocked_strand() noexcept;

 private:
  std::optional<blocked_call> call_;
};

}  // namespace heist::detail

HEIST_END
