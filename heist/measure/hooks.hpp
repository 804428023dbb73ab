#pragma once
// The meter's hooks, on the cold paths of forks. A strand without a clock skips them. See
// meter/README.md.

#include <heist/base/export.hpp>
#include <heist/meter/path.hpp>
#include <heist/strand/worker.hpp>

#include <cstddef>

HEIST_BEGIN

namespace heist::detail {

class scope_books;

// A join, from its fork on. Even if it ends by an exception, the path is that of the longest
// branch.
class measured_fork {
 public:
  measured_fork() noexcept {
    if (this_worker()->now.own.get() != nullptr) begin();
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
  // Out of line, but not cold: every measured fork runs through these.
  HEIST_API void begin() noexcept;
  HEIST_API void end_first() noexcept;
  HEIST_API HEIST_COLD void end_only() noexcept;
  HEIST_API void join() noexcept;

  enum class stage : unsigned char { unmeasured, first, second } stage_ = stage::unmeasured;
  path_length start_, first_;
};

// The thief of a continuation, before it continues at that depth of the parent's stack.
void begin_measured_continuation(std::size_t depth) noexcept;

// On the child's stack, before its function and after it. `parent_depth` is the depth of the spawn
// on the parent's stack; 0 if the child runs there.
HEIST_API HEIST_COLD void begin_measured_child(std::size_t parent_depth) noexcept;
HEIST_API HEIST_COLD void end_measured_child(const scope_books& of) noexcept;

// A strand in a pool, before the first one that is measured: measures what these hooks cost, once
// per program.
void try_hooks() noexcept;

}  // namespace heist::detail

HEIST_END
