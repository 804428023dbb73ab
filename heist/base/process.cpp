#include <heist/base/process.hpp>

#include <pthread.h>
#include <unwind.h>

#include <atomic>
#include <cstdlib>

namespace heist::detail {

namespace {
std::atomic<unsigned> process_number{0};

bool watch() noexcept {
  static const bool watching = ::pthread_atfork(nullptr, nullptr, disown) == 0;
  return watching;
}
// Set up when the program is loaded, so that a child of fork() is told apart from its parent even
// if neither has used heist yet.
[[maybe_unused]] const bool watching_from_the_start = watch();
}  // namespace

unsigned this_process() noexcept {
  watch();
  return process_number.load(std::memory_order_relaxed);
}

void at_fork_in_child(void (*begin)()) noexcept {
  this_process();  // its handler runs first
  ::pthread_atfork(nullptr, nullptr, begin);
}

// Called only when something has gone wrong, so it may search the stack for exit(). A handler
// registered with atexit() could not tell: static objects made after its registration are destroyed
// before it is called.
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

void disown() noexcept { process_number.fetch_add(1, std::memory_order_relaxed); }

}  // namespace heist::detail
