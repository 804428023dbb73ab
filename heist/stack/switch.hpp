#pragma once
// The switch itself: save a place, go on at another, take one pointer along.
//
// On x86-64 it is written here and not taken from Boost.Context, for two reasons that bench/spawn shows. Boost's saves
// and loads the floating-point modes, half of what a switch costs; heist has the mode follow the root instead
// (sched/fp_mode.hpp). And it goes on by an indirect jump from inside a called function, so that every return that
// follows is predicted wrongly; here calls and returns stay paired across a spawn and its child's end. Elsewhere, and
// with -DHEIST_BOOST_SWITCH, it is Boost's.

#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/stack/context.hpp>

#if defined(HEIST_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif

#if !defined(__x86_64__) || defined(HEIST_BOOST_SWITCH)
#include <boost/context/detail/fcontext.hpp>
#define HEIST_USES_BOOST_SWITCH 1
#endif

#include <cstddef>

namespace heist::detail {

#if !defined(HEIST_USES_BOOST_SWITCH)

static_assert(offsetof(context, pointer) == 0 && offsetof(context, address) == 8, "as the assembly below has them");

// Returns, when `from` is gone on with, what that side takes along. Not inlined: nothing but `from` is alive in here, so
// that the callee-saved registers are all there is to save; the compiler saves those, as they are clobbered.
[[gnu::noinline]] inline handoff* jump(context& from, context& to, handoff* along) noexcept {
  context* f = &from;
  context* t = &to;
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"  // the red zone
      "pushq %%rbp\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rsp, 0(%[from])\n\t"
      "movq %%rax, 8(%[from])\n\t"
      "movq 0(%[to]), %%rsp\n\t"
      "jmpq *8(%[to])\n"
      "1:\n\t"
      "popq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp"
      : "+D"(along), [from] "+S"(f), [to] "+d"(t)
      :
      : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc");
  return along;
}

// Inlined into a stack's first function: that was not called either, so calls and returns stay paired.
[[noreturn]] HEIST_INLINE void jump_for_good(context& to, handoff* along) noexcept {
  asm volatile(
      "movq 0(%[to]), %%rsp\n\t"
      "jmpq *8(%[to])"
      :
      : "D"(along), [to] "d"(&to)
      : "memory");
  __builtin_unreachable();
}

// The entry finds `along` in its first argument, and a return address of 0, where a backtrace ends.
HEIST_NO_TSAN inline void jump_starts(context& fresh, void* top, stack_entry entry) noexcept {
  void** const pointer = static_cast<void**>(top) - 1;
  *pointer = nullptr;
  fresh.pointer = pointer;
  fresh.address = reinterpret_cast<void*>(entry);
}

#else

// Boost tells where the other side stood only on arrival: it is written down there, before anybody else may want it.
inline handoff* unload(boost::context::detail::transfer_t t) noexcept {
  auto* const along = static_cast<handoff*>(t.data);
  along->from->pointer = t.fctx;
  return along;
}

[[gnu::noinline]] inline handoff* jump(context&, context& to, handoff* along) noexcept {
  return unload(boost::context::detail::jump_fcontext(to.pointer, along));
}

[[noreturn]] HEIST_INLINE void jump_for_good(context& to, handoff* along) noexcept {
  boost::context::detail::jump_fcontext(to.pointer, along);
  __builtin_unreachable();
}

HEIST_NO_TSAN inline void jump_starts(context& fresh, void* top, stack_entry entry) noexcept {
  fresh.address = reinterpret_cast<void*>(entry);
  fresh.pointer = boost::context::detail::make_fcontext(top, 0, [](boost::context::detail::transfer_t t) {
    handoff* const along = unload(t);
    reinterpret_cast<stack_entry>(along->to->address)(along);
  });
}

#endif

// The sanitizers are told of every switch. ThreadSanitizer's switch orders nothing (no_sync): what orders two strands
// is the protocol, and a hole in it shall be seen. Nothing of a switch is instrumented by it: a switch hands one
// thread's private state from one stack to the next, which it takes for two threads.
HEIST_NO_TSAN HEIST_INLINE void announce_switch([[maybe_unused]] void** fake_stack,
                                                [[maybe_unused]] context& to) noexcept {
#if defined(HEIST_ASAN)
  __sanitizer_start_switch_fiber(fake_stack, to.asan_bottom, to.asan_size);
#endif
#if defined(HEIST_TSAN)
  __tsan_switch_to_fiber(to.tsan_fiber, __tsan_switch_to_fiber_no_sync);
#endif
}

// A stack's first function, at its end: like switch_to(), but `from` will not be gone on with; it may be started anew.
[[noreturn]] HEIST_NO_TSAN HEIST_INLINE void leave_to(context& from, context& to, exception_globals& thread,
                                                      on_arrival then, void* argument) noexcept {
  handoff along{&to, &from, &thread, then, argument};
  announce_switch(nullptr, to);
  jump_for_good(to, &along);
}

}  // namespace heist::detail
