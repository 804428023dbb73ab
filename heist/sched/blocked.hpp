#pragma once
// A call that may block its thread in the kernel, and the thread that takes its place. See
// protocols/workers.md, "Blocked threads".

#include <heist/base/export.hpp>
#include <heist/sched/timer.hpp>

#include <optional>

HEIST_BEGIN

namespace heist::detail {

class scheduler;

// Lives in the calling frame for as long as the call takes.
class blocked_call {
 public:
  HEIST_API blocked_call() noexcept;
  HEIST_API ~blocked_call();
  blocked_call(const blocked_call&) = delete;
  blocked_call& operator=(const blocked_call&) = delete;

 private:
  static constexpr nanoseconds patience = 100'000;

  scheduler* pool_ = nullptr;  // null: outside every pool
  std::optional<timer> alarm_;
  bool replaced_ = false;  // written by the alarm
};

}  // namespace heist::detail

HEIST_END
