#include <heist/base/fatal.hpp>
#include <heist/suspend.hpp>

#include <stdexcept>

namespace heist {

namespace detail {
namespace {

// A call of f by a thread, while f runs: f must not wait, so it ends where it began.
struct call_under_way {
  const suspended* of;
  bool dropped = false;  // f has destroyed its resumption
  call_under_way* outer = nullptr;
};

constinit thread_local call_under_way* last_call = nullptr;

// Not instrumented by ThreadSanitizer, which takes a thread's stacks for threads: they use it in turn.
[[gnu::noinline]] HEIST_NO_TSAN call_under_way* calling() noexcept {
  asm volatile("");
  return last_call;
}
[[gnu::noinline]] HEIST_NO_TSAN void set_calling(call_under_way* c) noexcept {
  asm volatile("");
  last_call = c;
}

}  // namespace
}  // namespace detail

const char* broken_wait::what() const noexcept { return "heist: the resumption of a suspended strand was destroyed unused"; }

void resumption::resume() {
  // Relaxed: of two calls at once one finds it, and whoever handed the resumption on has ordered the rest.
  detail::suspended* const s = of_.exchange(nullptr, std::memory_order_relaxed);
  if (s == nullptr)
    throw std::logic_error("heist: a resumption was resumed twice, or has been moved from; resume each one once");
  s->end(false);
}

void resumption::break_wait() noexcept {
  detail::suspended* const s = of_.exchange(nullptr, std::memory_order_relaxed);
  if (s == nullptr) return;
  // In f itself, the one that called f goes on: f may have thrown.
  if (detail::call_under_way* const c = detail::calling(); c != nullptr && c->of == s)
    c->dropped = true;
  else
    s->end(true);
}

namespace detail {

void suspended::end(bool nobody) noexcept {
  broken = nobody;
  rest.resume();
}

// The strand may be gone as soon as its resumption is in other hands: then `self` is not touched.
void suspended::call_off_stack(void* p) noexcept {
  auto& self = *static_cast<suspended*>(p);
  call_under_way now{&self, false, calling()};
  set_calling(&now);
  std::exception_ptr thrown;
  try {
    self.call(self.function, resumption(self));
  } catch (...) {
    thrown = std::current_exception();
  }
  set_calling(now.outer);
  if (now.dropped) {
    self.failure = std::move(thrown);
    self.end(self.failure == nullptr);
  } else if (thrown) {
    fatal("the function given to heist::suspend threw after it had handed its resumption on; hand it on last");
  }
}

void suspended::park(caller what, void* with) {
  call = what;
  function = with;
  rest.rest(call_off_stack, this);
  if (failure) std::rethrow_exception(std::move(failure));
  if (broken) throw broken_wait();
}

}  // namespace detail

}  // namespace heist
