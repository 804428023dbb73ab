// Atomic operations, as g++ and clang call them with -fsanitize=thread. Two atomic accesses of the same bytes are no data
// race: they hold a lock that all of them have in common. One judged thread at a time runs, but the program may have
// other threads, so they are atomic.

#include <analysis/race/counts.hpp>
#include <analysis/race/judge.hpp>
#include <analysis/race/runtime.hpp>

#include <cstdint>

using namespace heist::race;

#define HERE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
#define FUNCTION extern "C" __attribute__((visibility("default"), noinline))

namespace {

template <class T>
void look(const volatile T* p, access_kind kind, std::uintptr_t code) {
  if (judged > 0) [[likely]]
    the.access_atomic(reinterpret_cast<std::uintptr_t>(const_cast<const T*>(p)), sizeof(T), kind, code);
}

// Processors have no such operations for sixteen bytes, and their library is not linked with every program.
volatile bool taken = false;
struct short_hold {
  short_hold() noexcept {
    while (__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE)) {
    }
  }
  ~short_hold() { __atomic_clear(&taken, __ATOMIC_RELEASE); }
};

// Changes *p to f(*p) and returns what it was.
template <class T, class F>
T change(volatile T* p, F&& f) {
  if constexpr (sizeof(T) > 8) {
    const short_hold hold;
    const T before = *p;
    *p = f(before);
    return before;
  } else {
    T before = __atomic_load_n(p, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(p, &before, f(before), true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    return before;
  }
}
template <class T>
T load(const volatile T* p) {
  if constexpr (sizeof(T) > 8) {
    const short_hold hold;
    return *p;
  } else {
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);
  }
}
template <class T>
bool change_if(volatile T* p, T* expected, T value) {
  if constexpr (sizeof(T) > 8) {
    const short_hold hold;
    const T before = *p;
    if (before == *expected) *p = value;
    return before == *expected || (*expected = before, false);
  } else {
    return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
}

}  // namespace

#define ATOMICS(bits, T)                                                                                      \
  FUNCTION T __tsan_atomic##bits##_load(const volatile T* p, int) {                                           \
    look(p, access_kind::read, HERE);                                                                         \
    const T value = load(p);                                                                                  \
    if (judged > 0 && sizeof(T) == 1) after_guard(const_cast<const T*>(p));                                   \
    return value;                                                                                             \
  }                                                                                                           \
  FUNCTION void __tsan_atomic##bits##_store(volatile T* p, T value, int) {                                    \
    look(p, access_kind::write, HERE);                                                                        \
    change(p, [=](T) { return value; });                                                                      \
  }                                                                                                           \
  FUNCTION T __tsan_atomic##bits##_exchange(volatile T* p, T value, int) {                                    \
    look(p, access_kind::write, HERE);                                                                        \
    return change(p, [=](T) { return value; });                                                               \
  }                                                                                                           \
  FUNCTION T __tsan_atomic##bits##_fetch_add(volatile T* p, T value, int) {                                   \
    look(p, access_kind::write, HERE);                                                                        \
    const T before = change(p, [=](T old) { return static_cast<T>(old + value); });                           \
    if (judged > 0 && value == static_cast<T>(-1)) count_down(const_cast<T*>(p), before == 1);                \
    return before;                                                                                            \
  }                                                                                                           \
  FUNCTION T __tsan_atomic##bits##_fetch_sub(volatile T* p, T value, int) {                                   \
    look(p, access_kind::write, HERE);                                                                        \
    const T before = change(p, [=](T old) { return static_cast<T>(old - value); });                           \
    if (judged > 0 && value == 1) count_down(const_cast<T*>(p), before == 1);                                 \
    return before;                                                                                            \
  }                                                                                                           \
  FUNCTION T __tsan_atomic##bits##_fetch_and(volatile T* p, T value, int) {                                   \
    look(p, access_kind::write, HERE);                                                                        \
    return change(p, [=](T old) { return static_cast<T>(old & value); });                                     \
  }                                                                                                           \
  FUNCTION T __tsan_atomic##bits##_fetch_or(volatile T* p, T value, int) {                                    \
    look(p, access_kind::write, HERE);                                                                        \
    return change(p, [=](T old) { return static_cast<T>(old | value); });                                     \
  }                                                                                                           \
  FUNCTION T __tsan_atomic##bits##_fetch_xor(volatile T* p, T value, int) {                                   \
    look(p, access_kind::write, HERE);                                                                        \
    return change(p, [=](T old) { return static_cast<T>(old ^ value); });                                     \
  }                                                                                                           \
  FUNCTION T __tsan_atomic##bits##_fetch_nand(volatile T* p, T value, int) {                                  \
    look(p, access_kind::write, HERE);                                                                        \
    return change(p, [=](T old) { return static_cast<T>(~(old & value)); });                                  \
  }                                                                                                           \
  FUNCTION int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T value, int, int) { \
    const bool done = change_if(p, expected, value);                                                          \
    look(p, done ? access_kind::write : access_kind::read, HERE);                                             \
    return done;                                                                                              \
  }                                                                                                           \
  FUNCTION int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* expected, T value, int, int) {   \
    const bool done = change_if(p, expected, value);                                                          \
    look(p, done ? access_kind::write : access_kind::read, HERE);                                             \
    return done;                                                                                              \
  }                                                                                                           \
  FUNCTION T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T value, int, int) {       \
    const bool done = change_if(p, &expected, value);                                                         \
    look(p, done ? access_kind::write : access_kind::read, HERE);                                             \
    return expected;                                                                                          \
  }

ATOMICS(8, std::uint8_t)
ATOMICS(16, std::uint16_t)
ATOMICS(32, std::uint32_t)
ATOMICS(64, std::uint64_t)
#if defined(__x86_64__)
__extension__ typedef unsigned __int128 sixteen_bytes;
ATOMICS(128, sixteen_bytes)
#endif

FUNCTION void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
FUNCTION void __tsan_atomic_signal_fence(int) {}
