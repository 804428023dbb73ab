#pragma once
// A strand of its own inside the calling one: a child that runs while its parent's frame waits below it. See README.md.

#include <heist/base/export.hpp>

HEIST_BEGIN

namespace heist::detail {

struct belongings;
class strand_clock;

// While this exists, the worker's strand has no views and no clock; what it had lies here, and the clock stands still. At the
// end, perhaps on another worker, the strand has them again. What the strand there has by then comes after them, and the clock
// goes on.
class apart {
 public:
  apart() noexcept;
  ~apart();
  apart(const apart&) = delete;
  apart& operator=(const apart&) = delete;

  // The outer strand's; null if it is not measured.
  strand_clock* clock() const noexcept { return clock_; }

 private:
  strand_clock* const clock_;
  const bool ran_;  // the clock
  belongings* const own_;
};

}  // namespace heist::detail

HEIST_END
