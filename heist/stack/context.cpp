#include <heist/base/sanitizer.hpp>
#include <heist/stack/context.hpp>
#include <heist/stack/switch.hpp>

#include <cxxabi.h>

#if defined(HEIST_ASAN)
#include <sanitizer/asan_interface.h>
#endif

namespace heist::detail {

HEIST_NO_TSAN stack* arrive(const handoff* along) noexcept {
  const handoff h = *along;
  *h.thread = h.to->exceptions;
#if defined(HEIST_ASAN)
  __sanitizer_finish_switch_fiber(h.to->asan_fake_stack, &h.from->asan_bottom, &h.from->asan_size);
#endif
  return h.then(h.argument);
}

HEIST_NO_TSAN stack* switch_to(context& from, context& to, exception_globals& thread, on_arrival then,
                               void* argument) noexcept {
  handoff along{&to, &from, &thread, then, argument};
  from.exceptions = thread;
  announce_switch(&from.asan_fake_stack, to);
  return arrive(jump(from, to, &along));
}

// Out of line: __cxa_get_globals is declared const, so a compiler that sees it would keep one thread's answer on the
// other side of a switch.
[[gnu::noinline]] exception_globals& thread_exceptions() noexcept {
  asm volatile("");
  return *reinterpret_cast<exception_globals*>(abi::__cxa_get_globals());
}

HEIST_NO_TSAN void restart(context& fresh, void* top, stack_entry entry) noexcept {
  jump_starts(fresh, top, entry);
  fresh.exceptions = {};
#if defined(HEIST_ASAN)
  // The last use ended inside the first function, whose frame is still poisoned.
  fresh.asan_fake_stack = nullptr;
  constexpr std::size_t first_frame = 4096;
  __asan_unpoison_memory_region(static_cast<char*>(top) - first_frame, first_frame);
#endif
}

void introduce(context& fresh, void* top, std::size_t size) noexcept {
  fresh.asan_bottom = static_cast<char*>(top) - size;
  fresh.asan_size = size;
#if defined(HEIST_TSAN)
  fresh.tsan_fiber = __tsan_create_fiber(0);
#endif
}

void introduce_native([[maybe_unused]] context& native) noexcept {
#if defined(HEIST_TSAN)
  native.tsan_fiber = __tsan_get_current_fiber();
#endif
}

void forget([[maybe_unused]] context& gone) noexcept {
#if defined(HEIST_ASAN)
  __asan_unpoison_memory_region(gone.asan_bottom, gone.asan_size);
#endif
#if defined(HEIST_TSAN)
  __tsan_destroy_fiber(gone.tsan_fiber);
#endif
}

}  // namespace heist::detail
