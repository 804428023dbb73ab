// Waits of the C library. With one thread, what a wait needs will never come: it ends the run with a sentence. (A wait with a
// deadline goes on to its deadline.)

#include <analysis/race/interpose.hpp>

#include <heist/race/detector.hpp>

#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>

using namespace heist::race;

#define REAL(name) real(kept, #name)

namespace {

constinit late<own_set<const void*>> late_barriers;
bool any_barriers = false;

own_set<const void*>& barriers_of_one() {
  if (!any_barriers) {
    any_barriers = true;
    late_barriers.build();
  }
  return late_barriers.value;
}

}  // namespace

HEIST_RACE_BEFORE int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  static decltype(::pthread_cond_wait)* kept;
  heist_race_blocked("a condition variable");
  return REAL(pthread_cond_wait)(c, m);
}
HEIST_RACE_BEFORE int sem_wait(sem_t* s) {
  static decltype(::sem_wait)* kept;
  if (judged != 0 && !has_threads()) {
    if (::sem_trywait(s) == 0) return 0;  // ours, which gives the order, too
    if (errno == EAGAIN) heist_race_blocked("a semaphore");
  }
  const int result = REAL(sem_wait)(s);
  if (result == 0) heist_race_acquire(s);
  return result;
}
HEIST_RACE_BEFORE int sem_trywait(sem_t* s) {
  static decltype(::sem_trywait)* kept;
  const int result = REAL(sem_trywait)(s);
  if (result == 0) heist_race_acquire(s);
  return result;
}
HEIST_RACE_BEFORE int sem_post(sem_t* s) {
  static decltype(::sem_post)* kept;
  heist_race_release(s);
  return REAL(sem_post)(s);
}

// A barrier for more than one waits for others, and there are none.
HEIST_RACE_BEFORE int pthread_barrier_init(pthread_barrier_t* b, const pthread_barrierattr_t* a, unsigned n) {
  static decltype(::pthread_barrier_init)* kept;
  if (judged != 0) {
    const unjudged own;
    if (n == 1) barriers_of_one().insert(b);
    else barriers_of_one().erase(b);
  }
  return REAL(pthread_barrier_init)(b, a, n);
}
HEIST_RACE_BEFORE int pthread_barrier_wait(pthread_barrier_t* b) {
  static decltype(::pthread_barrier_wait)* kept;
  if (judged != 0 && barriers_of_one().count(b) == 0) heist_race_blocked("a barrier");
  return REAL(pthread_barrier_wait)(b);
}

// What std::atomic::wait, std::latch, std::barrier and std::counting_semaphore come to, when they have to wait.
HEIST_RACE_BEFORE long syscall(long number, ...) {
  static decltype(::syscall)* kept;
  std::va_list given;
  va_start(given, number);
  long a[6];
  for (long& one : a) one = va_arg(given, long);
  va_end(given);
  const bool waits = number == SYS_futex && ((a[1] & FUTEX_CMD_MASK) == FUTEX_WAIT || (a[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET);
  if (waits && a[3] == 0 && judged != 0 && __atomic_load_n(reinterpret_cast<const int*>(a[0]), __ATOMIC_RELAXED) == static_cast<int>(a[2]))
    heist_race_blocked("an atomic variable");
  return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
