#pragma once
// suspend: parks the calling strand until somebody resumes it.

#include <heist/base/export.hpp>
#include <heist/sched/wait.hpp>

#include <atomic>
#include <exception>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

// Thrown by suspend() if the resumption was destroyed without a resume().
//
// The class has the same name in all versions of heist, so code built with one version can catch what another one throws.
class HEIST_API broken_wait : public std::exception {
 public:
  HEIST_OWN broken_wait() = default;
  HEIST_OWN broken_wait(const broken_wait&) = default;
  HEIST_OWN broken_wait& operator=(const broken_wait&) = default;
  HEIST_OWN ~broken_wait() override = default;
  const char* what() const noexcept override;
};

namespace detail {
struct suspended;
}

// The right to resume a suspended strand, once.
class HEIST_TYPE resumption {
 public:
  HEIST_OWN resumption() noexcept = default;
  HEIST_OWN resumption(resumption&& other) noexcept : of_(other.give()) {}
  HEIST_OWN resumption& operator=(resumption&& other) noexcept {
    if (this == &other) return *this;
    drop();
    of_.store(other.give(), std::memory_order_relaxed);
    return *this;
  }
  HEIST_OWN ~resumption() { drop(); }

  // Any thread, once, but not a signal handler. The strand continues in its pool. Throws std::logic_error if this
  // resumption was resumed or moved from.
  HEIST_API void resume();

  // Whether it can still resume a strand.
  HEIST_OWN explicit operator bool() const noexcept { return of_.load(std::memory_order_relaxed) != nullptr; }

 private:
  friend struct detail::suspended;
  HEIST_OWN explicit resumption(detail::suspended& of) noexcept : of_(&of) {}
  HEIST_OWN detail::suspended* give() noexcept {
    detail::suspended* const s = of_.load(std::memory_order_relaxed);
    of_.store(nullptr, std::memory_order_relaxed);  // one thread moves it, and none resumes it meanwhile
    return s;
  }
  HEIST_OWN void drop() noexcept {
    if (of_.load(std::memory_order_relaxed) != nullptr) break_wait();
  }
  HEIST_API void break_wait() noexcept;

  std::atomic<detail::suspended*> of_{nullptr};
};

namespace detail {

// In the frame of a strand in suspend().
struct suspended {
  using caller = void (*)(void* function, resumption&& r);

  // Parks the strand, and calls `call(function, resumption)` off its stack.
  HEIST_API void park(caller call, void* function);

  static void call_off_stack(void* self) noexcept;
  // Any thread: the wait is over; `broken` if nobody will resume it.
  void end(bool broken) noexcept;

  wait rest{"a resumption"};
  bool broken = false;
  std::exception_ptr failure;
  caller call = nullptr;
  void* function = nullptr;
};

}  // namespace detail

// Parks the calling strand and then calls f(heist::resumption) off its stack. Returns when the resumption has been resumed,
// perhaps on another thread; that may also happen while f still runs. f hands the resumption on and returns: it must not
// wait or fork. If f throws, suspend() throws that. If the resumption is destroyed unused, throws heist::broken_wait. Meanwhile the worker
// works on something else. Outside every pool the calling thread blocks.
template <class F>
void suspend(F&& f) {
  using function = std::decay_t<F>;
  static_assert(std::is_invocable_v<function, resumption>,
                "heist::suspend takes a function that can be called with a heist::resumption");
  static_assert(std::is_constructible_v<function, F>, "heist::suspend: this function cannot be copied; pass it with std::move");
  if constexpr (std::is_invocable_v<function, resumption> && std::is_constructible_v<function, F>) {
    function here(std::forward<F>(f));
    detail::suspended().park(
        [](void* p, resumption&& r) {
          function off(std::move(*static_cast<function*>(p)));  // the strand, and `here`, may be gone before it ends
          std::move(off)(std::move(r));
        },
        &here);
  }
}

}  // namespace heist

HEIST_END
