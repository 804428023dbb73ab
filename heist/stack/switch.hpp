#pragma once
// The switch itself: saves where it is, continues elsewhere, and passes one pointer along.
//
// On x86-64 it is written here and not taken from Boost.Context, for two reasons that bench/spawn
// shows. Boost's saves and loads the floating-point modes, which is half the cost of a switch; in
// heist the mode follows the root instead (strand/strand.hpp). And Boost's continues by an indirect
// jump from inside a called function, so every following return is mispredicted; here calls and
// returns stay paired across a spawn and its child's end. Elsewhere, and with -DHEIST_BOOST_SWITCH,
// it is Boost's.

#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/stack/context.hpp>
#include <heist/stack/stack.hpp>

#if defined(HEIST_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if !defined(__x86_64__) || defined(HEIST_BOOST_SWITCH)
#include <boost/context/detail/fcontext.hpp>
#define HEIST_USES_BOOST_SWITCH 1
#endif

#include <cstddef>

HEIST_BEGIN

// Not inlined for ThreadSanitizer: inside an instrumented function it would be instrumented, too.
#if defined(HEIST_TSAN)
#define HEIST_SWITCH_INLINE HEIST_NO_TSAN [[gnu::noinline]] inline
#else
#define HEIST_SWITCH_INLINE HEIST_INLINE
#endif

namespace heist::detail {

#if !defined(HEIST_USES_BOOST_SWITCH)

static_assert(offsetof(context, pointer) == 0 && offsetof(context, address) == 8, "as the assembly below has them");

// Returns when `from` is resumed, with what the other side passes along. All registers are
// clobbered, so the compiler saves those it needs. The caller must not be inlined: where AVX-512 is
// allowed there are more registers than are named here.
HEIST_INLINE handoff* jump(context& from, context& to, handoff* along) noexcept {
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
      : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
        "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
  return along;
}

// Inlined into a stack's first function, which was not called either, so calls and returns stay
// paired.
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

// Boost tells only on arrival where the other side was. It is stored here, before anything else can
// need it.
inline handoff* unload(boost::context::detail::transfer_t t) noexcept {
  auto* const along = static_cast<handoff*>(t.data);
  along->from->pointer = t.fctx;
  return along;
}

HEIST_INLINE handoff* jump(context&, context& to, handoff* along) noexcept {
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

// The sanitizers are told of every switch. ThreadSanitizer's switch orders nothing (no_sync): the
// protocol orders strands, and a gap in it must show. Nothing in a switch is instrumented: a switch
// hands one thread's private state from one stack to the next, and ThreadSanitizer takes these for
// two threads. What depends on that asks see_what_this_thread_did().
HEIST_NO_TSAN HEIST_INLINE void announce_switch([[maybe_unused]] void** fake_stack, [[maybe_unused]] context& to,
                                                [[maybe_unused]] exception_globals& thread) noexcept {
#if defined(HEIST_ASAN)
  __sanitizer_start_switch_fiber(fake_stack, to.asan_bottom, to.asan_size);
#endif
#if defined(HEIST_TSAN)
  tsan_release(&thread);
  __tsan_switch_to_fiber(to.tsan_fiber, __tsan_switch_to_fiber_no_sync);
#endif
}

// Must come first on the side that continues. switch_to() does it; a stack's first function must
// call it.
HEIST_NO_TSAN HEIST_INLINE stack* arrive(const handoff* along) noexcept {
  const on_arrival then = along->then;
  void* const argument = along->argument;
#if defined(HEIST_ASAN)
  __sanitizer_finish_switch_fiber(along->to->asan_fake_stack, &along->from->asan_bottom, &along->from->asan_size);
#endif
  return then != nullptr ? then(argument) : nullptr;
}

// switch_to() for a caller that is itself never inlined.
HEIST_SWITCH_INLINE stack* switch_inline(context& from, context& to, exception_globals& thread, on_arrival then,
                                         void* argument) noexcept {
  handoff along{&to, &from, then, argument};
  from.exceptions = thread;
  thread = to.exceptions;
  announce_switch(&from.asan_fake_stack, to, thread);
  return arrive(jump(from, to, &along));
}

// Makes `fresh`, whose stack ends at `top`, start in `entry` the next time it is switched to.
HEIST_SWITCH_INLINE void restart(context& fresh, void* top, stack_entry entry) noexcept {
  jump_starts(fresh, top, entry);
  fresh.exceptions = {};
#if defined(HEIST_ASAN)
  // The last use ended inside the first function, so its frame is still poisoned.
  fresh.asan_fake_stack = nullptr;
  constexpr std::size_t first_frame = 4096;
  __asan_unpoison_memory_region(static_cast<char*>(top) - first_frame, first_frame);
#endif
}

// A stack's first function, at its end: like switch_to(), but `from` is never resumed; it may be
// restarted.
[[noreturn]] HEIST_NO_TSAN HEIST_INLINE void leave_to(context& from, context& to, exception_globals& thread,
                                                      on_arrival then, void* argument) noexcept {
  handoff along{&to, &from, then, argument};
  thread = to.exceptions;
  announce_switch(nullptr, to, thread);
  jump_for_good(to, &along);
}

// `self` is left for good: for `next` or, if that is null, for what there is to do. Defined in sched/suspend.cpp; the
// assembly below jumps there.
extern "C" [[noreturn]] void heist_leave_fresh(stack* self, stack* next) noexcept;

// The first function of a stack on which `then` is a child of the strand that is left. It may return to_caller().
[[noreturn]] HEIST_NO_TSAN inline void child_main(handoff* from) noexcept {
  auto* const self = static_cast<stack*>(from->to);
  auto* const parent = static_cast<stack*>(from->from);
  stack* const next = arrive(from);
  heist_leave_fresh(self, next == to_caller() ? parent : next);
}

#if defined(HEIST_USES_BOOST_SWITCH) || defined(HEIST_ASAN) || defined(HEIST_TSAN)

inline constexpr bool has_call_on = false;
inline bool call_on(context&, stack*, on_arrival, void*) noexcept { __builtin_unreachable(); }

#else

#if defined(__GCC_HAVE_DWARF2_CFI_ASM)
#define HEIST_BACKTRACES_END ".cfi_remember_state\n\t.cfi_undefined 16\n\t"
#define HEIST_BACKTRACES_GO_ON "\n\t.cfi_restore_state"
#else
#define HEIST_BACKTRACES_END
#define HEIST_BACKTRACES_GO_ON
#endif

inline constexpr bool has_call_on = true;

// The switch to a child that will most likely come back: a call and a return, on two stacks. Leaves `from`, on which the
// caller runs, while no exception is in flight or being handled, and calls body(argument) on `fresh`, which is empty.
// - If body returns to_caller(), `fresh` is empty again. Returns true.
// - Otherwise `fresh` is left for good. Returns false when `from` is resumed, perhaps on another thread.
// Nothing is passed along, and nothing loaded that a call would not load. The registers that a called function preserves
// are saved for the one that resumes `from`. The caller must not be inlined: see jump().
HEIST_INLINE bool call_on(context& from, stack* fresh, on_arrival body, void* argument) noexcept {
  from.exceptions = {};
  void* along = argument;
  context* f = &from;
  asm volatile(
      "pushq %%rbp\n\tpushq %%r12\n\tpushq %%r13\n\tpushq %%r14\n\tpushq %%r15\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rsp, 0(%[from])\n\t"
      "movq %%rax, 8(%[from])\n\t"
      "movq %%rsp, %%rbx\n\t"
      "movq %[fresh], %%rsp\n\t"
      HEIST_BACKTRACES_END
      "callq *%[body]\n\t"
      "cmpq $1, %%rax\n\t"
      "je 2f\n\t"
      "movq %%rsp, %%rdi\n\t"
      "movq %%rax, %%rsi\n\t"
      "pushq $0\n\t"  // as in jump_starts()
      "jmp heist_leave_fresh"
      HEIST_BACKTRACES_GO_ON "\n"
      "1:\n\t"  // resumed
      "popq %%r15\n\tpopq %%r14\n\tpopq %%r13\n\tpopq %%r12\n\tpopq %%rbp\n\t"
      "jmp 3f\n"
      "2:\n\t"  // returned
      "leaq 40(%%rbx), %%rsp\n\t"
      "xorl %%edi, %%edi\n"
      "3:"
      : "+D"(along), [from] "+S"(f), [body] "+c"(body)
      : [fresh] "r"(fresh)
      : "rax", "rbx", "rdx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
        "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
  if (along == nullptr) [[likely]] return true;
  arrive(static_cast<handoff*>(along));
  return false;
}

#endif

}  // namespace heist::detail

HEIST_END
