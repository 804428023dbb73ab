#pragma once
// A call that may block its thread in the kernel, and the thread that takes its place. See
// protocols/workers.md, "Blocked threads".

#include <heist/base/export.hpp>
#include <heist/sched/timer.hpp>

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
  std::optional<timer> alarm_;
  bool replaced_ = false;  // written by the alarm
};

}  // namespace heist::detail

HEIST_END
