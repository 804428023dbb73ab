#include <heist/base/sanitizer.hpp>
#include <heist/stack/context.hpp>

#include <boost/context/detail/fcontext.hpp>

#include <cxxabi.h>

#if defined(HEIST_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace heist::detail {

namespace boost_context = boost::context::detail;

namespace {

// What the side that leaves tells the side that goes on. It lies on the stack that was left: copied before `then`,
// which may let that stack go.
struct handoff {
  context* from;
  context* to;
  exception_globals* thread;
  void (*then)(void*);
  void* argument;
};

// The sanitizers are told of every switch. ThreadSanitizer's switch orders nothing (no_sync): what orders two strands
// is the protocol, and a hole in it shall be seen.
HEIST_NO_TSAN void announce_switch([[maybe_unused]] context& from, [[maybe_unused]] context& to) noexcept {
#if defined(HEIST_ASAN)
  __sanitizer_start_switch_fiber(&from.asan_fake_stack, to.asan_bottom, to.asan_size);
#endif
#if defined(HEIST_TSAN)
  __tsan_switch_to_fiber(to.tsan_fiber, __tsan_switch_to_fiber_no_sync);
#endif
}

HEIST_NO_TSAN void confirm_switch([[maybe_unused]] context& from, [[maybe_unused]] context& here) noexcept {
#if defined(HEIST_ASAN)
  __sanitizer_finish_switch_fiber(here.asan_fake_stack, &from.asan_bottom, &from.asan_size);
#endif
}

// The first thing done on the side that goes on. Nothing of a switch is instrumented by ThreadSanitizer: it hands one
// thread's private state from one stack to the next, which it takes for two threads.
HEIST_NO_TSAN void arrive(boost_context::transfer_t transfer) noexcept {
  const handoff h = *static_cast<handoff*>(transfer.data);
  h.from->where = transfer.fctx;
  *h.thread = h.to->exceptions;
  confirm_switch(*h.from, *h.to);
  h.then(h.argument);
}

// Where a fresh stack starts.
HEIST_NO_TSAN void enter(boost_context::transfer_t transfer) noexcept {
  context& self = *static_cast<handoff*>(transfer.data)->to;
  arrive(transfer);
  self.main(self);
}

}  // namespace

HEIST_NO_TSAN void switch_to(context& from, context& to, exception_globals& thread,
                                              void (*then)(void*), void* argument) noexcept {
  handoff h{&from, &to, &thread, then, argument};
  from.exceptions = thread;
  announce_switch(from, to);
  arrive(boost_context::jump_fcontext(to.where, &h));
}

// Out of line: __cxa_get_globals is declared const, so a compiler that sees it would keep one thread's answer on the
// other side of a switch.
[[gnu::noinline]] exception_globals& thread_exceptions() noexcept {
  asm volatile("");
  return *reinterpret_cast<exception_globals*>(abi::__cxa_get_globals());
}

void prepare(context& fresh, void* top, std::size_t size, void (*main)(context&)) noexcept {
  fresh.where = boost_context::make_fcontext(top, size, &enter);
  fresh.main = main;
  fresh.asan_bottom = static_cast<char*>(top) - size;
  fresh.asan_size = size;
#if defined(HEIST_TSAN)
  fresh.tsan_fiber = __tsan_create_fiber(0);
#endif
}

void prepare_native([[maybe_unused]] context& native) noexcept {
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
