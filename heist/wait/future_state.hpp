#pragma once
// What a future shares with the one that fulfils it: the outcome, and who waits for it. Protocol: README.md, "Futures".

#include <heist/base/export.hpp>
#include <heist/race/strands.hpp>
#include <heist/sched/closure.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/ticket.hpp>
#include <heist/wait/deadline.hpp>
#include <heist/wait/wait_queue.hpp>

#include <atomic>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

struct belongings;
class agenda;
class scheduler;
template <class State>
class HEIST_VERSIONED owned;

// One that is told, once, that a state is ready, by whoever has made it ready.
struct listener {
  using told = void (*)(listener&, agenda&) noexcept;
  explicit listener(told f) noexcept : tell(f) {}

  const told tell;  // the listener may be gone afterwards
  // Under the state's lock.
  bool listening = false;
  listener *before = nullptr, *after = nullptr;
};

// Listeners that are to be told, one after the other. A listener that makes another state ready adds that state's
// listeners here: so a chain of a million needs no deeper stack than a chain of one.
class agenda {
 public:
  agenda() noexcept = default;
  agenda(const agenda&) = delete;
  agenda& operator=(const agenda&) = delete;

  void add(listener* first, listener* last) noexcept;
  HEIST_API void work() noexcept;

 private:
  listener *first_ = nullptr, *last_ = nullptr;
};

// Counted by its owners: the futures, and whoever will make it ready.
class HEIST_VERSIONED future_state {
 public:
  using destroyer = void (*)(future_state&) noexcept;
#if defined(HEIST_RACE)
  // The order of strands is told otherwise: come_after().
  future_state(destroyer d, unsigned owners) noexcept : owners_(owners), destroy_(d) { race::exempt(this); }
#else
  future_state(destroyer d, unsigned owners) noexcept : owners_(owners), destroy_(d) {}
#endif
  future_state(const future_state&) = delete;
  future_state& operator=(const future_state&) = delete;

  void hold() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }  // by an owner, so it is not the first
  void drop() noexcept {
    // order[future.drop]: the last owner destroys what all others have finished with
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy_(*this);
  }
  // The others have gone, and cannot come back.
  bool is_only_owner() const noexcept {
    // order[future.drop]: as the last owner would see it
    return owners_.load(std::memory_order_acquire) == 1;
  }

  // An owner. When it is true, the outcome can be read.
  bool ready() const noexcept {
    // order[future.ready]: the outcome
    const bool is = stage_.load(std::memory_order_acquire) == stage::ready;
#if defined(HEIST_RACE)
    if (is) come_after();
#endif
    return is;
  }
  // Returns when the state is ready; or too late, or after a stop. A strand may return on another thread.
  HEIST_API waking await(nanoseconds deadline = never, const std::stop_token& token = {});

  // False: it is ready, and the caller does what the listener would have done.
  [[nodiscard]] HEIST_API bool listen(listener& l) noexcept;
  // False: it was told, or is about to be.
  HEIST_API bool forget(listener& l) noexcept;

  // Before its computation is injected into the pool, with that ticket. Until the computation says that it has begun, which
  // it does first of all, a thread from outside that waits for the state may run it.
  ticket& queue_in(scheduler& pool) noexcept {
    queued_in_ = &pool;
    return ticket_;
  }
  HEIST_API void begun() noexcept;

  // The one that fulfils it: true once. unclaim() if there is no outcome after all.
  bool claim() noexcept { return !claimed_.exchange(true, std::memory_order_relaxed); }
  void unclaim() noexcept { claimed_.store(false, std::memory_order_relaxed); }
  bool claimed() const noexcept { return claimed_.load(std::memory_order_relaxed); }
  // Once, when the outcome is there, by an owner: wakes those that wait, and tells the listeners.
  HEIST_API void finish() noexcept;
  HEIST_API void finish(agenda& later) noexcept;

  // The strand that has filled it, and owns it: the outcome is there, and so is what the strand has added to reducers. The
  // strand owns it no longer.
  HEIST_API void fulfil() noexcept;

  // What the computation has added to reducers, and its clock. leave(): before finish(). receive(): the calling strand has
  // asked.
  void leave(std::unique_ptr<belongings> all) noexcept;
  void receive() noexcept {
#if defined(HEIST_RACE)
    come_after();
#endif
    if (left_.load(std::memory_order_relaxed) != nullptr) [[unlikely]] receive_left();  // before ready(), if ever
  }
  // Before finish(): where the computation began, on the clock of the strand that began it; null: it is not measured. And
  // what it leaves, if that is not known to the calling strand.
  HEIST_API void begun_at(const void* point, belongings* leaves = nullptr) noexcept;
  // Runs body(argument), which asks `source`, and leaves in *this what it adds: not to the strand that happens to run it.
  HEIST_API void call_apart(future_state& source, void (*body)(void*) noexcept, void* argument) noexcept;
  // Adds what `source` has to what is left here.
  HEIST_API void append_left(future_state& source) noexcept;

#if defined(HEIST_RACE)
  // Its function comes from here.
  HEIST_API void note_asked() noexcept;
  // finish() where nobody has asked yet, and its computation ended at that moment.
  HEIST_API void finish_at(race::moment* end) noexcept;
#endif

  // Fails as `source`, which is ready, unless it has failed before.
  void fail_as(const future_state& source) noexcept {
    if (!failure) failure = source.failure;
  }

  std::exception_ptr failure;  // null: there is a value

 protected:
  HEIST_API ~future_state();

  // A state that a thread from outside has made of others: how to add shares of those to a list, as long as it has them.
  // Under queue_lock(this). Before anybody can wait.
  using lister = void (*)(future_state&, std::vector<owned<future_state>>&);
  HEIST_API void made_of(lister f) noexcept;
  // The way to take them away.
  template <class Sources>
  Sources take_sources(Sources& from) noexcept {
    if (sources_of_ == nullptr) return std::move(from);
    const std::lock_guard hold(queue_lock(this));
    return std::move(from);
  }

 private:
  enum class stage : unsigned char {
    unheard,  // nobody has asked: finish() needs no lock
    heard,    // look under the lock who waits and listens
    ready,
  };
  bool make_heard() noexcept;
  HEIST_COLD void help() noexcept;
  void add_sources(std::vector<owned<future_state>>& to);
  void run_queued() noexcept;
  HEIST_API void receive_left() noexcept;
#if defined(HEIST_RACE)
  // The calling strand comes after the end of the computation.
  void come_after() const noexcept {
    for (const race::moment* const m : ended_) race::after(m);
  }
  void note_end(race::moment* m) noexcept;
  std::vector<race::moment*> ended_;  // of this one, and of those that it was made of
  race::moment* asked_ = nullptr;     // where its continuation was given
#endif

  std::atomic<unsigned> owners_;
  std::atomic<stage> stage_{stage::unheard};
  std::atomic<bool> claimed_{false};
  wait_queue waiters_;  // under queue_lock(this), as the listeners
  listener *first_ = nullptr, *last_ = nullptr;
  std::atomic<belongings*> left_{nullptr};
  const void* point_ = nullptr;
  lister sources_of_ = nullptr;
  scheduler* queued_in_ = nullptr;  // under queue_lock(this): it is there while the computation has not begun
  ticket ticket_;
  const destroyer destroy_;
};

[[noreturn]] HEIST_API HEIST_COLD void throw_future_error(std::future_errc why);

// One owner's share of a state.
template <class State>
class HEIST_VERSIONED owned {
 public:
  owned() noexcept = default;
  explicit owned(State* s) noexcept : state_(s) {}  // takes a share over
  owned(owned&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  owned& operator=(owned&& other) noexcept {
    owned moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~owned() {
    if (state_ != nullptr) state_->drop();
  }
  void swap(owned& other) noexcept { std::swap(state_, other.state_); }
  owned another() const noexcept {
    if (state_ != nullptr) state_->hold();
    return owned(state_);
  }
  State* release() noexcept { return std::exchange(state_, nullptr); }
  State* get() const noexcept { return state_; }
  State& operator*() const noexcept { return *state_; }
  State* operator->() const noexcept { return state_; }
  explicit operator bool() const noexcept { return state_ != nullptr; }

 private:
  State* state_ = nullptr;
};

// Another share of a state that an owner has.
inline owned<future_state> share_of(future_state& s) noexcept {
  s.hold();
  return owned<future_state>(&s);
}

template <class T>
using future_value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

// A state with its value.
template <class T>
class HEIST_VERSIONED outcome : public future_state {
 public:
  explicit outcome(unsigned owners = 1) noexcept
      : outcome([](future_state& s) noexcept { delete static_cast<outcome*>(&s); }, owners) {}

  template <class... A>
  void emplace(A&&... arguments) {
    ::new (static_cast<void*>(&value_.value)) T(std::forward<A>(arguments)...);
    has_value_ = true;
  }
  // Fills it with what f returns or throws.
  template <class F>
  void fill(F&& f) noexcept {
    try {
      emplace(call(std::forward<F>(f)));
    } catch (...) {
      failure = carry_exception();
    }
  }

  // When it is ready: throws, or gives the value.
  T& value() {
    if (failure) std::rethrow_exception(failure);
    return value_.value;
  }

 protected:
  outcome(destroyer d, unsigned owners) noexcept : future_state(d, owners) {}
  ~outcome() {
    if (has_value_) value_.value.~T();
  }

 private:
  slot<T> value_;
  bool has_value_ = false;
};

}  // namespace heist::detail

HEIST_END
