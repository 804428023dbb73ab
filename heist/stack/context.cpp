#include <heist/base/sanitizer.hpp>
#include <heist/stack/context.hpp>
#include <heist/stack/switch.hpp>
#include <heist/stack/valgrind.hpp>

#include <cxxabi.h>

namespace heist::detail {

[[gnu::noinline]] HEIST_NO_TSAN stack* switch_to(context& from, context& to, exception_globals& thread, on_arrival then,
                                                 void* argument) noexcept {
  return switch_inline(from, to, thread, then, argument);
}

// Out of line: __cxa_get_globals is declared const, so a compiler that sees it would keep one thread's answer on the
// other side of a switch.
[[gnu::noinline]] exception_globals& thread_exceptions() noexcept {
  asm volatile("");
  return *reinterpret_cast<exception_globals*>(abi::__cxa_get_globals());
}

void introduce(context& fresh, void* top, std::size_t size) noexcept {
  fresh.asan_bottom = static_cast<char*>(top) - size;
  fresh.asan_size = size;
  fresh.valgrind_id = valgrind_knows_stack(fresh.asan_bottom, static_cast<char*>(top) - 1);
#if defined(HEIST_TSAN)
  fresh.tsan_fiber = __tsan_create_fiber(0);
#endif
}

void introduce_native([[maybe_unused]] context& native) noexcept {
#if defined(HEIST_TSAN)
  native.tsan_fiber = __tsan_get_current_fiber();
#endif
}

void forget(context& gone) noexcept {
  valgrind_forgets_stack(gone.valgrind_id);
#if defined(HEIST_ASAN)
  __asan_unpoison_memory_region(gone.asan_bottom, gone.asan_size);
#endif
#if defined(HEIST_TSAN)
  __tsan_destroy_fiber(gone.tsan_fiber);
#endif
}

}  // namespace heist::detail
