#include <heist/base/cpu.hpp>
#include <heist/sleep/short_lock.hpp>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heist::detail {

void short_lock::wait() noexcept {
  for (int i = 0; i < 64; ++i) {
    relax();
    if (now_.load(std::memory_order_relaxed) == state::open && try_lock()) return;
  }
  // From here on it is taken as awaited: others may sleep, too.
  // order[lock.section]: as in try_lock()
  while (now_.exchange(state::awaited, std::memory_order_acquire) != state::open)
    ::syscall(SYS_futex, &now_, FUTEX_WAIT_PRIVATE, state::awaited, nullptr, nullptr, 0);
}

void short_lock::wake_one() noexcept { ::syscall(SYS_futex, &now_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0); }

}  // namespace heist::detail
