#pragma once
// A thread from outside, while it sits at a seat of a pool.

#include <heist/base/export.hpp>
#include <heist/sched/pool_thread.hpp>
#include <heist/strand/seat.hpp>

HEIST_BEGIN

namespace heist::detail {

class visit {
 public:
  // It works on `root` and nothing else.
  visit(seat& s, const void* root, const terms& t) noexcept;
  visit(const visit&) = delete;
  visit& operator=(const visit&) = delete;

  // Does `first(argument)` on a stack of the pool's, and what comes of it, until there is nothing more to do. Where there is no
  // stack it does so on the native one, which cannot leave this thread: every wait there blocks it.
  void work(on_arrival first, void* argument) noexcept;

  // Once, after work(): the thread is where it was before, and the seat can be given back.
  void leave() noexcept;

 private:
  seat& seat_;
  worker* const outer_ = this_worker();  // null, or of a pool around this one
  const fp_mode mode_ = fp_mode::current();
  context home_;
  sitter former_;
};

}  // namespace heist::detail

HEIST_END
