#include <heist/check/chaos.hpp>
#include <heist/sleep/parking.hpp>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace heist::detail {

namespace {
// Returns early on a signal, a spurious wake-up or a changed word: callers must check again.
void sleep_while_zero(std::atomic<std::uint32_t>& word, const timespec* patience) noexcept {
  ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, patience, nullptr, 0);
}
}  // namespace

void parking::wait() noexcept {
  while (!take()) sleep_while_zero(posted_, nullptr);
}

bool parking::wait_for(nanoseconds patience) noexcept {
  const nanoseconds deadline = now() + patience;
  while (!take()) {
    const nanoseconds left = deadline - now();
    if (left <= 0) return false;
    const timespec t{static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
    sleep_while_zero(posted_, &t);
  }
  return true;
}

void parking::post() noexcept {
  chaos::step(chaos::at::posting);
  // order[parking.post]: before the waiter goes on
  posted_.store(1, std::memory_order_release);
  ::syscall(SYS_futex, &posted_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace heist::detail
