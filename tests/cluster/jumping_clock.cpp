// To be preloaded: the day's clock jumps by an hour, forth and back, five times a second. Clocks that only go forward do not.

#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <sys/syscall.h>

namespace {
long jump() {
  timespec t{};
  ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
  return t.tv_nsec / 200'000'000 % 2 == 0 ? 0 : 3600;
}
}  // namespace

extern "C" {
int clock_gettime(clockid_t which, timespec* t) noexcept {
  const long status = ::syscall(SYS_clock_gettime, which, t);
  if (status == 0 && which == CLOCK_REALTIME) t->tv_sec += jump();
  return static_cast<int>(status);
}
int gettimeofday(timeval* t, void*) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  *t = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}
time_t time(time_t* to) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (to != nullptr) *to = now.tv_sec;
  return now.tv_sec;
}
}
