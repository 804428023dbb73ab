#include <heist/sleep/placement.hpp>

namespace heist::detail {

void placement::send(pthread_t thread, spot where) noexcept {
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
}

void placement::arrive() noexcept {
  if (!sent_) return;
  sent_ = false;
  // If somebody has chosen other processors for it since, that holds.
  cpu_set_t now;
  if (::sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &meanwhile_))
    ::sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace heist::detail
