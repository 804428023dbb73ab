#pragma once
// What a build for races (HEIST_RACE) does instead of forking: it runs strands one after the other, depth first, and tells
// the detector where they begin and end. The detector is analysis/race; README.md has the protocol.

#include <heist/base/export.hpp>

#if defined(HEIST_RACE)

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

#endif

HEIST_BEGIN

#if defined(HEIST_RACE)

namespace heist::detail::race {

// An open fork or loop, for the detector, and the strand's place among the views of reducers.
struct place {
  std::uintptr_t words[14];
  std::size_t views;
  std::size_t outer_views;
};
// A scope, or all that was begun and not asked.
struct group {
  std::uint64_t owner;
  std::uint64_t strand;
  std::size_t views;
};
// A point of the run that others may come after.
struct moment;

// Out of line, and not instrumented: nothing of theirs is judged. The fork is where they are called from.
HEIST_API void begin_fork(place& p) noexcept;
HEIST_API void end_first(place& p) noexcept;
HEIST_API void end_fork(place& p) noexcept;
HEIST_API void abandon_fork(place& p) noexcept;  // the first branch threw

HEIST_API void open_group(group& g) noexcept;
HEIST_API void begin_child(group& g, place& p) noexcept;
HEIST_API void end_child(place& p) noexcept;
HEIST_API void sync_group(group& g) noexcept;
// Runs late, when `since` was what begin_late() gets: now() of the spawn.
HEIST_API std::uint64_t now() noexcept;
HEIST_API void begin_late(group& g, place& p, std::uint64_t since) noexcept;
HEIST_API void end_late(place& p) noexcept;

HEIST_API void begin_loop(place& p, const void* code) noexcept;  // where the loop is
HEIST_API void begin_iteration(place& p) noexcept;
HEIST_API void end_iteration(place& p) noexcept;
HEIST_API void end_loop(place& p) noexcept;

// An algorithm whose own code runs in series, and that calls users' functions as if in parallel.
class HEIST_VERSIONED algorithm {
 public:
  HEIST_API algorithm() noexcept;
  HEIST_API ~algorithm();
  algorithm(const algorithm&) = delete;
  algorithm& operator=(const algorithm&) = delete;

  class callback {
   public:
    HEIST_API callback() noexcept;
    HEIST_API ~callback();
    callback(const callback&) = delete;
    callback& operator=(const callback&) = delete;

    // Values that it is given, and those that it leaves: they may own memory that another call has written.
    template <class... T>
    void takes(const T&... values) const noexcept {
      (take(std::addressof(values), may_own<T> ? sizeof(T) : 0), ...);
    }
    template <class... T>
    void gives(const T&... values) const noexcept {
      (give(std::addressof(values), may_own<T> ? sizeof(T) : 0), ...);
    }

   private:
    template <class T>
    static constexpr bool may_own = sizeof(T) >= sizeof(void*) && !std::is_arithmetic_v<T> && !std::is_enum_v<T>;
    HEIST_API void take(const void* value, std::size_t size) const noexcept;
    HEIST_API void give(const void* value, std::size_t size) const noexcept;

    algorithm* const of_;
  };

 private:
  algorithm* const outer_;
  place place_;
};

// A computation that goes on beside its parent until somebody asks for its end: begin, call, and moment* end.
HEIST_API void begin_future(place& p) noexcept;
HEIST_API moment* end_future(place& p) noexcept;
HEIST_API moment* here() noexcept;
HEIST_API void after(const moment* m) noexcept;
HEIST_API moment* copy(const moment* m) noexcept;
HEIST_API void forget(moment* m) noexcept;
HEIST_API void forget_futures() noexcept;  // all have ended

// Edges by address: everything before release() comes before what follows acquire().
HEIST_API void release(const void* what) noexcept;
HEIST_API void acquire(const void* what) noexcept;

enum class holding : unsigned char { alone, shared };
HEIST_API void locked(const void* lock, holding how) noexcept;
HEIST_API void unlocked(const void* lock) noexcept;
HEIST_API void retired(const void* lock) noexcept;

// While it lives, the strand is in an object whose own lock the detector does not know.
class inside {
 public:
  explicit inside(const void* object) noexcept : object_(object) { locked(object, holding::alone); }
  ~inside() { unlocked(object_); }
  inside(const inside&) = delete;
  inside& operator=(const inside&) = delete;

 private:
  const void* const object_;
};

// What code that is not instrumented does with the program's memory.
HEIST_API void reads(const void* from, std::size_t size) noexcept;
HEIST_API void writes(const void* from, std::size_t size) noexcept;

// A block of the heap that is heist's own business: what strands do with it is not judged.
HEIST_API void exempt(const void* block) noexcept;

// A reducer's total was asked for before all strands that add to it have joined.
HEIST_API void read_early(const void* view, std::size_t size) noexcept;

// Whether the second of two comes first, as `heist race --reversed` asks.
HEIST_API bool reversed() noexcept;

// A wait that would go on for ever, if this is the only thread: what it waits for lies later in serial order. Ends the
// program.
HEIST_API void blocked(const char* what) noexcept;

HEIST_API void stop_if_asked();  // throws heist::cancelled

// While it lives, the strand is in a pool although it has not forked: pool::run().
class inside_pool {
 public:
  HEIST_API inside_pool() noexcept;
  HEIST_API ~inside_pool();
  inside_pool(const inside_pool&) = delete;
  inside_pool& operator=(const inside_pool&) = delete;
};
// Whether the strand is in one: in pool::run(), or in a branch, child or iteration.
bool is_inside_pool() noexcept;

// Stop tokens of the calls that the running strand is in.
class HEIST_VERSIONED stopping {
 public:
  HEIST_API explicit stopping(const std::stop_token& t) noexcept;
  HEIST_API ~stopping();
  stopping(const stopping&) = delete;
  stopping& operator=(const stopping&) = delete;

 private:
  friend void stop_if_asked();
  const std::stop_token& token_;
  stopping* const outer_;
};

// Calls f in a frame of its own: what two strands have on the stack must not be at the same place of one frame.
template <class F>
[[gnu::noinline]] auto apart(F&& f) {
  return static_cast<F&&>(f)();
}

template <class F>
auto first_branch(place& p, F&& f) {
  try {
    return apart(static_cast<F&&>(f));
  } catch (...) {
    abandon_fork(p);
    throw;
  }
}
template <class F>
auto last_branch(place& p, F&& f) {
  struct end {
    place& p;
    ~end() { end_fork(p); }
  } const at_end{p};
  return apart(static_cast<F&&>(f));
}

template <class F>
[[gnu::noinline]] void one_iteration(place& p, F& f, std::size_t i) {
  struct iteration {
    place& p;
    explicit iteration(place& of) noexcept : p(of) { begin_iteration(p); }
    ~iteration() { end_iteration(p); }
  } const one(p);
  f(i);
}

// Calls f(i) for i in [0, n), every two of them in parallel. Not instrumented: its own variables are no part of the iterations.
template <class F>
[[gnu::noinline]] HEIST_NO_TSAN void for_all(std::size_t n, F&& f) {
  place p;
  begin_loop(p, __builtin_return_address(0));
  struct whole {
    place& p;
    ~whole() { end_loop(p); }
  } const at_end{p};
  const bool backwards = reversed();
  for (std::size_t k = 0; k < n; ++k) one_iteration(p, f, backwards ? n - 1 - k : k);
}

// The children of a scope.
class HEIST_VERSIONED children {
 public:
  children() noexcept { open_group(group_); }
  explicit children(std::stop_token t) noexcept : token_(std::move(t)), has_token_(true) { open_group(group_); }
  children(const children&) = delete;
  children& operator=(const children&) = delete;

  ~children() {
    if (one_at_a_time_) retired(this);
  }

  // One child runs at a time anyway. If no more ever do, it is as if each held one lock.
  void limit_to(std::size_t n) noexcept { one_at_a_time_ = n <= 1; }

  template <class F>
  void spawn(F&& f) {
    if (stops()) return;
    // New memory: the next child's function is written while this one may still be running. And by address: the child must
    // not touch what its parent has on the stack.
    auto* const held = new std::decay_t<F>(std::forward<F>(f));
    if (reversed())
      keep(&call_held<std::decay_t<F>>, held);
    else
      run_now(&call_held<std::decay_t<F>>, held);
  }

  HEIST_API void sync();

  std::exception_ptr take_failure() {
    if (stopped_ && failure_ == nullptr) failure_ = stop_error();
    stopped_ = false;
    failed_ = false;
    return std::exchange(failure_, nullptr);
  }

 private:
  using caller = void (*)(void* held);
  struct late_child {
    std::uint64_t since;
    caller call;
    void* held;
  };

  template <class F>
  [[gnu::noinline]] static void call_held(void* held) {
    const std::unique_ptr<F> mine(static_cast<F*>(held));
    std::invoke(std::move(*mine));
  }

  void run_now(caller call, void* held) {
    place p;
    begin_child(group_, p);
    guarded(call, held);
    end_child(p);
  }
  HEIST_API void keep(caller call, void* held);
  HEIST_API void guarded(caller call, void* held) noexcept;
  bool stops() noexcept {
    if (failed_) return true;
    if (has_token_ && token_.stop_requested()) stopped_ = true;
    return stopped_;
  }
  void fail() noexcept;  // in a catch (...)
  HEIST_API static std::exception_ptr stop_error() noexcept;

  group group_;
  std::stop_token token_;
  bool one_at_a_time_ = false, has_token_ = false, failed_ = false, stopped_ = false, cancelled_ = false;
  std::exception_ptr failure_;
  std::vector<late_child> late_;
};

}  // namespace heist::detail::race

#endif

HEIST_END
