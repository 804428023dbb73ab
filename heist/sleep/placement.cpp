#include <heist/sleep/placement.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace heist::detail {

namespace {

// If other programs use the processors, too, the kernel knows better. A thread that was sent and
// came late shows that.
constexpr nanoseconds late = 1'000'000;
constexpr nanoseconds pause = 100'000'000;
constexpr nanoseconds for_ever = std::numeric_limits<nanoseconds>::max();

// A low-priority program may be kept from one processor while another is idle, so it sends no
// threads. The main thread's priority decides, whichever thread asks first.
bool takes_part() noexcept {
  errno = 0;
  const int niceness = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::getpid()));
  const char* const wanted = std::getenv("HEIST_PLACEMENT");
  const bool off = wanted != nullptr && std::strcmp(wanted, "off") == 0;
  return !off && ::sched_getscheduler(::getpid()) == SCHED_OTHER && errno == 0 && niceness <= 0;
}

// Until when no thread is sent, in the whole process.
std::atomic<nanoseconds>& paused_until() noexcept {
  static std::atomic<nanoseconds> time{takes_part() ? 0 : for_ever};
  return time;
}

}  // namespace

bool allow(pthread_t thread, const cpu_set_t& processors) noexcept {
  // Most threads may run anywhere, also on processors that come online later. A copy of their mask
  // would bind them to the processors of today.
  cpu_set_t mask;
  std::memset(&mask, 0xff, sizeof mask);
  if (::pthread_setaffinity_np(thread, sizeof mask, &mask) != 0) return false;
  if (::pthread_getaffinity_np(thread, sizeof mask, &mask) != 0) return false;
  return CPU_EQUAL(&mask, &processors) || ::pthread_setaffinity_np(thread, sizeof processors, &processors) == 0;
}

void placement::send(pthread_t thread, spot where) noexcept {
  const nanoseconds time = now();
  if (time < paused_until().load(std::memory_order_relaxed)) return;
  const int here = ::sched_getcpu();
  cpu_set_t before;
  // This fails on a machine with more processors than a cpu_set_t can hold; then the kernel places
  // the thread.
  if (here < 0 || here >= CPU_SETSIZE || ::pthread_getaffinity_np(thread, sizeof before, &before) != 0) return;
  if (!CPU_ISSET(here, &before) || CPU_COUNT(&before) == 1) return;
  cpu_set_t meanwhile = before;
  if (where == spot::instead) CPU_ZERO(&meanwhile);
  where == spot::instead ? CPU_SET(here, &meanwhile) : CPU_CLR(here, &meanwhile);
  if (::pthread_setaffinity_np(thread, sizeof meanwhile, &meanwhile) == 0)
    sent_ = {time, before, meanwhile};
  else
    paused_until().store(for_ever, std::memory_order_relaxed);
}

void placement::arrive() noexcept {
  if (!sent_) return;
  // If its mask was changed since, that stays.
  cpu_set_t mask;
  bool restored = ::sched_getaffinity(0, sizeof mask, &mask) == 0;
  if (restored && CPU_EQUAL(&mask, &sent_->meanwhile)) restored = allow(::pthread_self(), sent_->before);
  const nanoseconds time = now();
  if (!restored)
    paused_until().store(for_ever, std::memory_order_relaxed);
  else if (time - sent_->began > late)
    paused_until().store(time + pause, std::memory_order_relaxed);
  sent_.reset();
}

}  // namespace heist::detail
