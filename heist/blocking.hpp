#pragma once
// blocking: a call that may sit in the kernel, without the loss of a worker.

#include <heist/base/export.hpp>
#include <heist/sched/blocked.hpp>
#include <heist/sched/closure.hpp>

#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

// Calls f on the calling thread, and returns or throws what it does. If it takes long (more than about 100 µs), another
// thread takes this worker's place until f has returned: at most options::most_blocked of them at once. For system calls
// and libraries that block: files, databases, locks that are not heist's. f may not fork or wait by heist's means. Outside
// every pool it is a plain call.
template <class F>
detail::result_of<F> blocking(F&& f) {
  static_assert(std::is_invocable_v<F>, "heist::blocking takes a function that can be called without arguments");
  if constexpr (std::is_invocable_v<F>) {
    const detail::blocked_call here;
    return std::forward<F>(f)();
  } else {
    return detail::refused<detail::result_of<F>>();
  }
}
// Refused: arguments of f.
template <class F, class... Arguments>
  requires(sizeof...(Arguments) > 0)
void blocking(F&&, Arguments&&...) {
  static_assert(sizeof...(Arguments) == 0, "heist::blocking: arguments cannot be passed; let a lambda capture them");
}

}  // namespace heist

HEIST_END
