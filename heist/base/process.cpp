#include <heist/base/process.hpp>

#include <pthread.h>

#include <atomic>

namespace heist::detail {

namespace {
std::atomic<unsigned> number{0};
}  // namespace

unsigned this_process() noexcept {
  static const int watching = ::pthread_atfork(nullptr, nullptr, disown);
  static_cast<void>(watching);
  return number.load(std::memory_order_relaxed);
}

void at_fork_in_child(void (*begin)()) noexcept {
  this_process();  // its handler runs first
  ::pthread_atfork(nullptr, nullptr, begin);
}

void disown() noexcept { number.fetch_add(1, std::memory_order_relaxed); }

}  // namespace heist::detail
