#include <heist/base/fatal.hpp>
#include <heist/check/held_locks.hpp>

#if defined(HEIST_CHECKED) && !defined(HEIST_TSAN)

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <iterator>

namespace heist::detail {

namespace {

// What this thread has locked and not unlocked, oldest first. Locks beyond the size of the list are
// ignored.
struct held_list {
  const pthread_mutex_t* locks[32];
  unsigned size;
  unsigned outside;  // how many were held when the thread entered the pool
  unsigned bans;     // how often forks and waits were forbidden, since then
  no_fork why;       // the last time
};
constinit thread_local held_list held{};

// All out of line: after a switch a strand may be on another thread, with another list.
[[gnu::noinline]] void note_locked(const pthread_mutex_t* m) noexcept {
  if (held.size < std::size(held.locks)) held.locks[held.size++] = m;
}

[[gnu::noinline]] void note_unlocked(const pthread_mutex_t* m) noexcept {
  for (unsigned i = held.size; i-- > 0;) {
    if (held.locks[i] != m) continue;
    std::copy(held.locks + i + 1, held.locks + held.size, held.locks + i);
    --held.size;
    if (i < held.outside) --held.outside;
    return;
  }
}

// The program or library that contains the address, and the offset in it, as addr2line expects it.
struct code_place {
  const char* file;
  std::uintptr_t offset;
};

code_place place_of(const void* address) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address) - 1;  // in the call, not behind it
  Dl_info found{};
  if (::dladdr(address, &found) == 0) return {"", at};
  const bool moved = static_cast<const ElfW(Ehdr)*>(found.dli_fbase)->e_type == ET_DYN;
  return {found.dli_fname, moved ? at - reinterpret_cast<std::uintptr_t>(found.dli_fbase) : at};
}

[[noreturn]] void complain() noexcept {
  void* frames[24];
  const int n = ::backtrace(frames, static_cast<int>(std::size(frames)));
  constexpr int own = 2;  // this function and the one that calls it
  const code_place here = place_of(frames[std::min(own, n - 1)]);
  char text[1024];
  auto length = static_cast<std::size_t>(
      std::snprintf(text, sizeof text,
                    "a std::mutex is held across a join, spawn or sync, after which the strand may be on another "
                    "thread; use a heist::mutex, or unlock it first. To see where: addr2line -Cipe %s",
                    here.file));
  for (int i = own; i < n && length < sizeof text; ++i) {
    const code_place p = place_of(frames[i]);
    if (p.file == here.file)
      length += static_cast<std::size_t>(std::snprintf(text + length, sizeof text - length, " %#lx", p.offset));
  }
  fatal(text);
}

template <class F>
F next_called(const char* name) noexcept {
  return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

namespace {
[[noreturn]] void complain(no_fork why) noexcept {
  switch (why) {
    case no_fork::function_of_suspend:
      fatal("the function given to heist::suspend forks or waits; let it hand the resumption on and return");
    case no_fork::function_of_blocking:
      fatal("the function given to heist::blocking forks, or waits by heist's means; do so before or after the call");
    default:
      fatal("a strand forks or waits while it uses a per_worker, whose value another strand may get meanwhile; end the use "
            "first");
  }
}
}  // namespace

[[gnu::noinline]] void check_no_lock_held() noexcept {
  if (held.bans > 0) complain(held.why);
  if (held.size > held.outside) complain();
}
[[gnu::noinline]] void begin_no_fork(no_fork why) noexcept {
  ++held.bans;
  held.why = why;
}
[[gnu::noinline]] void end_no_fork() noexcept { --held.bans; }

[[gnu::noinline]] locks_of_caller::locks_of_caller() noexcept : outer_(held.outside), outer_bans_(held.bans) {
  held.outside = held.size;
  held.bans = 0;
}
[[gnu::noinline]] locks_of_caller::~locks_of_caller() {
  held.bans = outer_bans_;
  held.outside = std::min(outer_, held.size);  // some may have been unlocked inside
}

}  // namespace heist::detail

// The program's calls come here first, and are passed on to the C library. That must hold for every
// module, so these are exported, even from a static library.
#define HEIST_INTERPOSED __attribute__((visibility("default")))

extern "C" {

HEIST_INTERPOSED int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  static const auto next = heist::detail::next_called<int (*)(pthread_mutex_t*)>("pthread_mutex_lock");
  const int result = next(m);
  if (result == 0 || result == EOWNERDEAD) heist::detail::note_locked(m);
  return result;
}

HEIST_INTERPOSED int pthread_mutex_trylock(pthread_mutex_t* m) noexcept {
  static const auto next = heist::detail::next_called<int (*)(pthread_mutex_t*)>("pthread_mutex_trylock");
  const int result = next(m);
  if (result == 0 || result == EOWNERDEAD) heist::detail::note_locked(m);
  return result;
}

HEIST_INTERPOSED int pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
  static const auto next = heist::detail::next_called<int (*)(pthread_mutex_t*)>("pthread_mutex_unlock");
  heist::detail::note_unlocked(m);
  return next(m);
}

}  // extern "C"

#endif
