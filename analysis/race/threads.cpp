// Locks, things done once, threads, and libraries that are loaded.

#include <analysis/race/counts.hpp>
#include <analysis/race/interpose.hpp>
#include <analysis/race/owners.hpp>
#include <analysis/race/threads.hpp>

#include <heist/race/detector.hpp>

#include <pthread.h>
#include <unistd.h>

#include <cerrno>

using namespace heist::race;

#define REAL(name) real(kept, #name)

namespace {

int locked(const void* l, int result, holding how = holding::alone) {
  if (result != 0 || judged == 0) return result;
  const unjudged own;
  the.lock(l, how, is_on_stack(l));
  return result;
}
void unlocked(const void* l) {
  if (judged == 0) return;
  const unjudged own;
  the.unlock(l);
}
void retired(const void* l) {
  if (judged == 0) return;
  const unjudged own;
  the.held_locks.retire(l);
}

}  // namespace

// The function `taking` waits. First is tried whether it would: `what` is then held by a strand that has not ended.
#define HEIST_RACE_TAKE(taking, trying, what, type, how)                                        \
  HEIST_RACE_BEFORE int taking(type* m) {                                                       \
    static decltype(::taking)* kept;                                                            \
    void* const l = const_cast<void*>(static_cast<const volatile void*>(m));                    \
    if (judged == 0 || has_threads()) return locked(l, REAL(taking)(m), how);                   \
    static decltype(::trying)* try_it;                                                          \
    const int result = real(try_it, #trying)(m);                                                \
    if (result != EBUSY) return locked(l, result, how);                                         \
    heist_race_blocked(what);                                                                   \
    return locked(l, REAL(taking)(m), how);                                                     \
  }
HEIST_RACE_TAKE(pthread_mutex_lock, pthread_mutex_trylock, "a mutex that it holds already", pthread_mutex_t, holding::alone)
HEIST_RACE_TAKE(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, "a lock that it holds already", pthread_rwlock_t, holding::shared)
HEIST_RACE_TAKE(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, "a lock that it holds already", pthread_rwlock_t, holding::alone)
HEIST_RACE_TAKE(pthread_spin_lock, pthread_spin_trylock, "a spin lock that it holds already", pthread_spinlock_t, holding::alone)
HEIST_RACE_BEFORE int pthread_mutex_trylock(pthread_mutex_t* m) {
  static decltype(::pthread_mutex_trylock)* kept;
  return locked(m, REAL(pthread_mutex_trylock)(m));
}
HEIST_RACE_BEFORE int pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* t) {
  static decltype(::pthread_mutex_timedlock)* kept;
  return locked(m, REAL(pthread_mutex_timedlock)(m, t));
}
HEIST_RACE_BEFORE int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t c, const timespec* t) {
  static decltype(::pthread_mutex_clocklock)* kept;
  return locked(m, REAL(pthread_mutex_clocklock)(m, c, t));
}
HEIST_RACE_BEFORE int pthread_mutex_unlock(pthread_mutex_t* m) {
  static decltype(::pthread_mutex_unlock)* kept;
  unlocked(m);
  return REAL(pthread_mutex_unlock)(m);
}
HEIST_RACE_BEFORE int pthread_mutex_destroy(pthread_mutex_t* m) {
  static decltype(::pthread_mutex_destroy)* kept;
  retired(m);
  return REAL(pthread_mutex_destroy)(m);
}
HEIST_RACE_BEFORE int pthread_rwlock_tryrdlock(pthread_rwlock_t* m) {
  static decltype(::pthread_rwlock_tryrdlock)* kept;
  return locked(m, REAL(pthread_rwlock_tryrdlock)(m), holding::shared);
}
HEIST_RACE_BEFORE int pthread_rwlock_clockrdlock(pthread_rwlock_t* m, clockid_t c, const timespec* t) {
  static decltype(::pthread_rwlock_clockrdlock)* kept;
  return locked(m, REAL(pthread_rwlock_clockrdlock)(m, c, t), holding::shared);
}
HEIST_RACE_BEFORE int pthread_rwlock_trywrlock(pthread_rwlock_t* m) {
  static decltype(::pthread_rwlock_trywrlock)* kept;
  return locked(m, REAL(pthread_rwlock_trywrlock)(m));
}
HEIST_RACE_BEFORE int pthread_rwlock_clockwrlock(pthread_rwlock_t* m, clockid_t c, const timespec* t) {
  static decltype(::pthread_rwlock_clockwrlock)* kept;
  return locked(m, REAL(pthread_rwlock_clockwrlock)(m, c, t));
}
HEIST_RACE_BEFORE int pthread_rwlock_unlock(pthread_rwlock_t* m) {
  static decltype(::pthread_rwlock_unlock)* kept;
  unlocked(m);
  return REAL(pthread_rwlock_unlock)(m);
}
HEIST_RACE_BEFORE int pthread_rwlock_destroy(pthread_rwlock_t* m) {
  static decltype(::pthread_rwlock_destroy)* kept;
  retired(m);
  return REAL(pthread_rwlock_destroy)(m);
}
HEIST_RACE_BEFORE int pthread_rwlock_timedrdlock(pthread_rwlock_t* m, const timespec* t) {
  static decltype(::pthread_rwlock_timedrdlock)* kept;
  return locked(m, REAL(pthread_rwlock_timedrdlock)(m, t), holding::shared);
}
HEIST_RACE_BEFORE int pthread_rwlock_timedwrlock(pthread_rwlock_t* m, const timespec* t) {
  static decltype(::pthread_rwlock_timedwrlock)* kept;
  return locked(m, REAL(pthread_rwlock_timedwrlock)(m, t));
}
HEIST_RACE_BEFORE int pthread_spin_trylock(pthread_spinlock_t* m) {
  static decltype(::pthread_spin_trylock)* kept;
  return locked(const_cast<const int*>(m), REAL(pthread_spin_trylock)(m));
}
HEIST_RACE_BEFORE int pthread_spin_unlock(pthread_spinlock_t* m) {
  static decltype(::pthread_spin_unlock)* kept;
  unlocked(const_cast<const int*>(m));
  return REAL(pthread_spin_unlock)(m);
}
// Once ----------------------------------------------------------------------------------------------------------------

HEIST_RACE_BEFORE int pthread_once(pthread_once_t* once, void (*f)()) {
  static decltype(::pthread_once)* kept;
  if (judged <= 0) return REAL(pthread_once)(once, f);
  // Known by what it calls: the function is called here, or was called before.
  static thread_local void (*to_call)();
  static thread_local pthread_once_t* now;
  to_call = f;
  now = once;
  const int result = REAL(pthread_once)(once, [] {
    pthread_once_t* const mine = now;
    struct body {
      pthread_once_t* done = nullptr;
      ~body() { done != nullptr ? end_once(done) : abandon_once(); }
    } call;
    begin_once(mine);
    to_call();
    call.done = mine;
  });
  after_guard(once);
  return result;
}

HEIST_RACE_BEFORE int __cxa_guard_acquire(void* guard) {
  static int (*kept)(void*);
  if (kept == nullptr) kept = reinterpret_cast<int (*)(void*)>(::dlsym(RTLD_NEXT, "__cxa_guard_acquire"));
  const int ours = kept(guard);
  if (judged != 0) {
    if (ours != 0)
      begin_once(guard);
    else
      after_guard(guard);
  }
  return ours;
}
HEIST_RACE_BEFORE void __cxa_guard_release(void* guard) {
  static void (*kept)(void*);
  if (kept == nullptr) kept = reinterpret_cast<void (*)(void*)>(::dlsym(RTLD_NEXT, "__cxa_guard_release"));
  kept(guard);
  if (judged != 0) end_once(guard);
}

HEIST_RACE_BEFORE void __cxa_guard_abort(void* guard) {
  static void (*kept)(void*);
  if (kept == nullptr) kept = reinterpret_cast<void (*)(void*)>(::dlsym(RTLD_NEXT, "__cxa_guard_abort"));
  kept(guard);
  if (judged != 0) abandon_once();
}

// Threads -------------------------------------------------------------------------------------------------------------

HEIST_RACE_BEFORE int pthread_create(pthread_t* t, const pthread_attr_t* a, void* (*f)(void*), void* with) {
  static decltype(::pthread_create)* kept;
  if (judged != 0) note_thread();
  return REAL(pthread_create)(t, a, f, with);
}

HEIST_RACE_BEFORE void* dlopen(const char* name, int flags) {
  static decltype(::dlopen)* kept;
  void* const library = REAL(dlopen)(name, flags);
  if (judged != 0) find_private();
  return library;
}

int heist_race_interposed() { return 1; }
