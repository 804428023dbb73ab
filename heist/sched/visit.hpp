#pragma once
// A thread from outside while it sits at a pool's seat.

#include <heist/base/export.hpp>
#include <heist/sched/pool_thread.hpp>
#include <heist/strand/seat.hpp>

HEIST_BEGIN

namespace heist::detail {

class visit {
 public:
  // It works on `root` and nothing else.
  visit(pool_thread& place, const void* root, const terms& t) noexcept;
  visit(const visit&) = delete;
  visit& operator=(const visit&) = delete;

  // Runs `first(argument)` on a stack of the pool, and what follows from it, until there is nothing
  // more to do. If there is no stack, runs it on the native one. That cannot leave this thread, so
  // every wait blocks the thread.
  void work(on_arrival first, void* argument) noexcept;

  // Once, after work(): the thread is back where it was, and the seat can be given back.
  void leave() noexcept;

 private:
  pool_thread& place_;
  worker* const outer_ = this_worker();  // null, or of a pool around this one
  const fp_mode mode_ = fp_mode::current();
  context home_;
  sitter former_;
};

}  // namespace heist::detail

HEIST_END
