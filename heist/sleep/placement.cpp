#include <heist/sleep/placement.hpp>

#include <atomic>

namespace heist::detail {

namespace {
// Where others use the processors, too, the kernel knows better: a thread that was sent and came late shows that.
constexpr nanoseconds late = 1'000'000;
constexpr nanoseconds pause = 100'000'000;
std::atomic<nanoseconds> paused_until{0};  // of the whole process
}  // namespace

void placement::send(pthread_t thread, spot where) noexcept {
  const nanoseconds time = now();
  if (time < paused_until.load(std::memory_order_relaxed)) return;
  const int here = ::sched_getcpu();
  // A machine with more processors than a cpu_set_t has room for fails here, and places the thread as it will.
  if (here < 0 || here >= CPU_SETSIZE || ::pthread_getaffinity_np(thread, sizeof before_, &before_) != 0) return;
  if (!CPU_ISSET(here, &before_) || CPU_COUNT(&before_) == 1) return;
  if (where == spot::instead) {
    CPU_ZERO(&meanwhile_);
    CPU_SET(here, &meanwhile_);
  } else {
    meanwhile_ = before_;
    CPU_CLR(here, &meanwhile_);
  }
  sent_ = ::pthread_setaffinity_np(thread, sizeof meanwhile_, &meanwhile_) == 0;
  sent_at_ = time;
}

void placement::arrive() noexcept {
  if (!sent_) return;
  sent_ = false;
  // If somebody has chosen other processors for it since, that holds.
  cpu_set_t mask;
  if (::sched_getaffinity(0, sizeof mask, &mask) == 0 && CPU_EQUAL(&mask, &meanwhile_))
    ::sched_setaffinity(0, sizeof before_, &before_);
  if (const nanoseconds time = now(); time - sent_at_ > late) paused_until.store(time + pause, std::memory_order_relaxed);
}

}  // namespace heist::detail
