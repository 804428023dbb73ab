#include <heist/base/fatal.hpp>
#include <heist/sched/timer.hpp>
#include <heist/sched/timers.hpp>

#include <mutex>
#include <system_error>

namespace heist::detail {

timer::timer(timers& of, nanoseconds deadline, void (*late)(void*) noexcept, void* argument) noexcept
    : of_(of), deadline_(deadline), late_(late), argument_(argument) {
  bool first = false;
  if_there_is_memory("no memory for a deadline; too many strands wait, or the machine is short of memory", [&] {
    const std::lock_guard hold(of_.lock_);
    try {
      of_.add(*this);
      set_ = true;
      first = deadline_ < of_.awake_at_;
    } catch (const std::system_error&) {
    }
  });
  if (first) of_.bed_.post();  // not under the lock, which the thread takes first
}

timer::~timer() {
  const std::lock_guard hold(of_.lock_);
  if (place_ != none) of_.remove(*this);
}

}  // namespace heist::detail
