#pragma once
// The meter's hooks, on the cold paths of forks. A strand without a clock passes them by. See meter/README.md.

#include <heist/base/export.hpp>
#include <heist/meter/clock.hpp>
#include <heist/sched/worker.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

HEIST_BEGIN

namespace heist::detail {

class scope_books;

// A strand that was stolen, or queued, or is a root: it gets a clock if its worker says that it is measured.
HEIST_API HEIST_COLD void begin_measured_strand() noexcept;
// The calling strand ends.
HEIST_COLD void end_measured_strand() noexcept;
// Any thread: the calling strand's clock, up to date. Null: nothing is measured here.
strand_clock* touch_measured_strand() noexcept;

// A join, from its fork on. Left by an exception, too, the path is that of the longest branch.
class measured_fork {
 public:
  measured_fork() noexcept {
    if (this_worker()->own.get() != nullptr) begin();
  }
  void first_ended() noexcept {
    if (stage_ == stage::first) end_first();
  }
  // The second branch does not run, or is not counted.
  void first_threw() noexcept {
    if (stage_ == stage::first) end_only();
  }
  ~measured_fork() {
    if (stage_ != stage::unmeasured) join();
  }
  measured_fork(const measured_fork&) = delete;
  measured_fork& operator=(const measured_fork&) = delete;

 private:
  // Out of line, but not cold: where forks are measured each runs through these.
  HEIST_API void begin() noexcept;
  HEIST_API void end_first() noexcept;
  HEIST_API HEIST_COLD void end_only() noexcept;
  HEIST_API void join() noexcept;

  enum class stage : unsigned char { unmeasured, first, second } stage_ = stage::unmeasured;
  path_length start_, first_;
};

// How deep on a stack something lies: the control block is at the top. Addresses only, as somebody may run on it.
inline std::size_t depth_of(const stack& k, const void* place) noexcept {
  return reinterpret_cast<std::uintptr_t>(&k) - reinterpret_cast<std::uintptr_t>(place);
}

// The thief of a continuation, before it goes on so deep on the parent's stack.
void begin_measured_continuation(std::size_t depth) noexcept;

// On the child's stack: before its function, and after it. The spawn is so deep on the parent's; 0: the child runs there.
HEIST_API HEIST_COLD void begin_measured_child(std::size_t parent_depth) noexcept;
HEIST_API HEIST_COLD void end_measured_child(const scope_books& of) noexcept;

// The calling strand in a pool, and all it forks, from construction to take(). Nests.
class measured_stretch {
 public:
  measured_stretch();
  ~measured_stretch();
  measured_stretch(const measured_stretch&) = delete;
  measured_stretch& operator=(const measured_stretch&) = delete;

  strand_clock take() noexcept;

 private:
  std::optional<strand_clock> outer_;
  bool taken_ = false;
};

}  // namespace heist::detail

HEIST_END
