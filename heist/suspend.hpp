#pragma once
// suspend: parks the calling strand until somebody resumes it.

#include <heist/base/export.hpp>
#include <heist/sched/wait.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <stop_token>
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
  HEIST_OWN resumption(resumption&& other) noexcept { take(other); }
  HEIST_OWN resumption& operator=(resumption&& other) noexcept {
    if (this == &other) return *this;
    drop();
    take(other);
    return *this;
  }
  HEIST_OWN ~resumption() { drop(); }

  // Any thread, once, but not a signal handler. The strand continues in its pool; if a stop has ended its wait before,
  // nothing happens. Throws std::logic_error if this resumption was resumed or moved from.
  HEIST_API void resume();

  // Whether it can still resume a strand.
  HEIST_OWN explicit operator bool() const noexcept { return of_.load(std::memory_order_relaxed) > withdrawn; }

 private:
  friend struct detail::suspended;
  // Of whom: its address; the same and 1, if a stop may withdraw it; or one of these.
  static constexpr std::uintptr_t nobody = 0;
  static constexpr std::uintptr_t withdrawn = 1;

  HEIST_OWN void take(resumption& other) noexcept {
    const std::uintptr_t of = other.of_.load(std::memory_order_relaxed);
    if (of % 2 != 0) return take_withdrawable(other);
    other.of_.store(nobody, std::memory_order_relaxed);  // one thread moves it, and none resumes it meanwhile
    of_.store(of, std::memory_order_relaxed);
  }
  HEIST_OWN void drop() noexcept {
    if (of_.load(std::memory_order_relaxed) != nobody) break_wait();
  }
  HEIST_API void take_withdrawable(resumption& other) noexcept;
  HEIST_API void break_wait() noexcept;
  // Nobody can claim it afterwards. Null if it was nobody's, or withdrawn: then `too_late`.
  HEIST_OWN detail::suspended* claim(bool& too_late) noexcept;

  std::atomic<std::uintptr_t> of_{nobody};
};

namespace detail {

// In the frame of a strand in suspend().
struct suspended {
  using caller = void (*)(void* function, resumption&& r);

  // Parks the strand, and calls `call(function, resumption)` off its stack.
  HEIST_API void park(caller call, void* function);
  // The same, but a stop may end the wait.
  HEIST_API void park(caller call, void* function, const std::stop_token& token);

  static void call_off_stack(void* self) noexcept;
  void call_function() noexcept;
  // Any thread: the wait is over; `nobody` if nobody will resume it.
  void end(bool nobody) noexcept;
  // Any thread: the strand is to stop.
  void withdraw() noexcept;
  bool give_out(resumption& r) noexcept;
  bool stopped_meanwhile() noexcept;
  void return_or_throw();

  wait rest{"a resumption"};
  bool broken = false;
  bool withdrawable = false;
  std::exception_ptr failure;
  caller call = nullptr;
  void* function = nullptr;

  // Under a lock, if it is withdrawable.
  bool given_out = false;     // the resumption was made
  resumption* out = nullptr;  // where it is; null: not made, or claimed
  bool stopped = false;
};

template <class F>
void call_once(void* f, resumption&& r) {
  F off(std::move(*static_cast<F*>(f)));  // destroyed off the strand's stack, as soon as it has returned
  std::move(off)(std::move(r));
}

template <class F, class... Token>
void suspend_with(F&& f, const Token&... token) {
  using function = std::decay_t<F>;
  static_assert(std::is_invocable_v<function, resumption>,
                "heist::suspend takes a function that can be called with a heist::resumption");
  static_assert(std::is_constructible_v<function, F>, "heist::suspend: this function cannot be copied; pass it with std::move");
  if constexpr (std::is_invocable_v<function, resumption> && std::is_constructible_v<function, F>) {
    function here(std::forward<F>(f));
    suspended().park(&call_once<function>, &here, token...);
  }
}

}  // namespace detail

// Parks the calling strand and then calls f(heist::resumption) off its stack. Returns when the resumption has been resumed,
// perhaps on another thread; that may also happen while f still runs. f hands the resumption on and returns: it must not
// wait or fork. If f throws, suspend() throws that. If the resumption is destroyed unused, throws heist::broken_wait.
// Meanwhile the worker works on something else. Outside every pool the calling thread blocks.
//
// Nothing else ends the wait, also if the strand is unwanted: others may have got addresses in this frame from f.
template <class F>
void suspend(F&& f) {
  detail::suspend_with(std::forward<F>(f));
}

// The same, but throws heist::cancelled if a stop is requested first, by this token or by that of a scope or a run around
// it, or if something before it in serial order fails. Resuming or destroying the resumption later does no harm. So f must
// not give away addresses of what ends with the caller's frame. If the stop was requested before f is called, it is not called.
template <class F>
void suspend(F&& f, const std::stop_token& token) {
  detail::suspend_with(std::forward<F>(f), token);
}

}  // namespace heist

HEIST_END
