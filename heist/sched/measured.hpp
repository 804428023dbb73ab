#pragma once
// The meter's hooks, on the cold paths of forks. A strand without a clock passes them by. See meter/README.md.

#include <heist/base/export.hpp>
#include <heist/meter/clock.hpp>

#include <cstdint>

namespace heist::detail {

class scope_books;

// A strand that was stolen, or queued: it gets a clock if what it belongs to is measured.
HEIST_COLD void begin_measured_strand() noexcept;
// The calling strand ends.
HEIST_API HEIST_COLD void end_measured_strand() noexcept;

// A join, from its fork on.
class measured_fork {
 public:
  HEIST_API measured_fork() noexcept;
  HEIST_API void first_ended() noexcept;
  HEIST_API void joined() noexcept;

 private:
  path_length start_, first_;
};

// On the child's stack: before its function, and after it.
HEIST_API HEIST_COLD void begin_measured_child() noexcept;
HEIST_API HEIST_COLD void end_measured_child(const scope_books& of) noexcept;

// For the calling strand in a pool, and all it forks: measured from construction to take(). Nests.
class measured_stretch {
 public:
  HEIST_API explicit measured_stretch(measuring& by);
  HEIST_API ~measured_stretch();
  measured_stretch(const measured_stretch&) = delete;
  measured_stretch& operator=(const measured_stretch&) = delete;

  HEIST_API strand_clock take() noexcept;

 private:
  measuring* const outer_;
  struct belongings* const outer_own_;
  bool taken_ = false;
};

}  // namespace heist::detail
