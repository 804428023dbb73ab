#pragma once
// Which strand runs: known in checked builds only, where scope asks.

#include <heist/base/export.hpp>
#include <heist/sched/worker.hpp>

#include <utility>

HEIST_BEGIN

namespace heist::detail {

#if defined(HEIST_CHECKED)
// Calls f as a strand of its own: a branch of a join, or a child.
template <class F>
decltype(auto) strand_of(F&& f) {
  const char here = 0;  // its address is the mark
  struct restore {
    const void* outer;
    ~restore() { this_worker()->strand.set(outer); }
  } const after{this_worker()->strand.replace(&here)};
  return std::forward<F>(f)();
}

// The calling strand, taken along over a switch.
class strand_mark {
 public:
  void restore() const noexcept { this_worker()->strand.set(mark_); }

 private:
  const void* const mark_ = this_worker()->strand.get();
};
#else
template <class F>
HEIST_INLINE decltype(auto) strand_of(F&& f) {
  return std::forward<F>(f)();
}

struct strand_mark {
  void restore() const noexcept {}
};
#endif

}  // namespace heist::detail

HEIST_END
