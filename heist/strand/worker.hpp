#pragma once
// The part of a worker that a fork touches, and which worker the calling thread sits at. The rest of a worker is its seat:
// strand/seat.hpp.

#include <heist/base/export.hpp>
#include <heist/deque/deque.hpp>
#include <heist/strand/strand.hpp>

#include <atomic>

HEIST_BEGIN

namespace heist::detail {
class worker;
}

// The symbol. In a build for races it has another name, and there the usual name is no thread-local: so the linker refuses
// ordinary objects in a program built for races (analysis/race/runtime.cpp).
#if defined(HEIST_RACE)
#define HEIST_THIS_WORKER "heist_this_worker_race"
#else
#define HEIST_THIS_WORKER "heist_this_worker"
#endif

extern "C" {
// Null outside every pool.
HEIST_API_C extern constinit thread_local heist::detail::worker* heist_this_worker __asm__(HEIST_THIS_WORKER)
    __attribute__((tls_model("initial-exec")));
}

namespace heist::detail {

// A strand may continue on another thread after any fork, so the thread-local must be read again
// each time, but a compiler that sees its address keeps it. The assembly does what the compiler
// would have done, in a form that the compiler cannot see through.
HEIST_INLINE worker* this_worker() noexcept {
  worker* w;
#if defined(__x86_64__)
  asm volatile("movq " HEIST_THIS_WORKER "@gottpoff(%%rip), %0\n\tmovq %%fs:(%0), %0" : "=r"(w));
#elif defined(__aarch64__)
  void* at;
  asm volatile(
      "mrs %0, tpidr_el0\n\tadrp %1, :gottprel:" HEIST_THIS_WORKER "\n\t"
      "ldr %1, [%1, #:gottprel_lo12:" HEIST_THIS_WORKER "]\n\tldr %0, [%0, %1]"
      : "=&r"(w), "=&r"(at));
#endif
  return w;
}

// The calling thread works here from now on; null for nowhere.
void sit_at(worker* w) noexcept;

// The calling thread, by an address of its own.
const void* this_thread() noexcept;

class scheduler;
struct job;

class worker {
 public:
  worker(scheduler& of, const std::atomic<int>& of_pool) : pool(of), alarms(of_pool) {}
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // Owner only, when a strand begins or continues, and at a fork that could not throw: while an
  // alarm is on, the next fork checks whether the strand is wanted. The alarm itself has asked only
  // the strands that were running when it began.
  void look_at_next_fork() noexcept {
    if (alarms.load(std::memory_order_relaxed) > 0) [[unlikely]] jobs.owner().trip();
  }

  // The strand that runs here leaves; there is none from here on. Owner only, or nobody sits here.
  strand take_strand() noexcept {
    const strand leaving = now;
    now = strand();
    return leaving;
  }

  deque<job> jobs;
  scheduler& pool;
  const std::atomic<int>& alarms;  // the pool's: above 0, some strand in it may be unwanted
  strand now;                      // the one that runs here

 protected:
  ~worker() = default;
};

}  // namespace heist::detail

HEIST_END
