#include <heist/base/process.hpp>

#include <pthread.h>

#include <atomic>

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

void disown() noexcept { number.fetch_add(1, std::memory_order_relaxed); }

}  // namespace heist::detail
