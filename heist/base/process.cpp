#include <heist/base/process.hpp>

#include <pthread.h>
#include <unwind.h>

#include <atomic>
#include <cstdlib>

namespace heist::detail {

namespace {
std::atomic<unsigned> number{0};

bool watch() noexcept {
  static const bool watching = ::pthread_atfork(nullptr, nullptr, disown) == 0;
  return watching;
}
// When the program is loaded: a child of fork() must not take itself for its parent because neither had used heist yet.
[[maybe_unused]] const bool watching_from_the_start = watch();
}  // namespace

unsigned this_process() noexcept {
  watch();
  return number.load(std::memory_order_relaxed);
}

void at_fork_in_child(void (*begin)()) noexcept {
  this_process();  // its handler runs first
  ::pthread_atfork(nullptr, nullptr, begin);
}

// Asked when something has gone wrong only, so it may look for exit() on the stack: no handler of exit()'s could tell, as a
// static object that was made after the handler was registered is destroyed before it is called.
bool in_exit() noexcept {
  bool found = false;
  _Unwind_Backtrace(
      [](_Unwind_Context* frame, void* answer) {
        const auto call = reinterpret_cast<void*>(_Unwind_GetIP(frame) - 1);  // the return address is behind it
        if (_Unwind_FindEnclosingFunction(call) != reinterpret_cast<void*>(&std::exit)) return _URC_NO_REASON;
        *static_cast<bool*>(answer) = true;
        return _URC_END_OF_STACK;
      },
      &found);
  return found;
}

void disown() noexcept { number.fetch_add(1, std::memory_order_relaxed); }

}  // namespace heist::detail
