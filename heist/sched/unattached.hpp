#pragma once
// A computation that nobody joins, as detach and async begin it. Protocol: protocols/unjoined.md.

#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/check/chaos.hpp>
#include <heist/race/strands.hpp>
#include <heist/sched/checked.hpp>
#include <heist/sched/closure.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/ticket.hpp>
#include <heist/stack/context.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/strand/worker.hpp>

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

struct belongings;
class scheduler;
class unattached_child;

// The one that will ask for the end of such a computation.
enum class asker : unsigned char { nobody, future };

// Such a computation while its parent begins it, in the parent's frame. To thieves it is the parent's continuation.
struct unattached : job {
  unattached(void* closure, asker a) noexcept : job(continuation), function(closure), asked_by(a) {}

  void* const function;
  const asker asked_by;
  stack* parent = nullptr;
  unattached_child* child = nullptr;  // while the child runs
  bool robbed = false;                // the continuation was stolen: the parent runs while the child does
  // A measured child that a future asks for: its place on its parent's clock, and, if it was not robbed, its own clock.
  const void* point = nullptr;
  belongings* measured = nullptr;

 private:
  static stack* steal(job& self) noexcept;
  HEIST_API static const kind continuation;
};

// What a child and its parent share after a robbery; the first of the two makes it. Null if it is nothing.
using maker_of_shared = void* (*)();

// The parent, after a robbery, once. The other side of unattached_child::meet_parent().
HEIST_API void* meet_child(unattached& record, maker_of_shared make) noexcept;

// The child's side, in the child's frame.
class unattached_child {
 public:
  explicit unattached_child(unattached& record) noexcept : point(record.point), record_(&record) { record.child = this; }
  unattached_child(const unattached_child&) = delete;
  unattached_child& operator=(const unattached_child&) = delete;

  const void* const point;  // the record's

  // On the child's stack, when it has its function: leaves the parent's continuation to thieves. The record is not used
  // from here on, unless the continuation comes back.
  void leave_parent() noexcept {
    tsan_release(record_->parent);  // up to here the child comes before the rest of its parent
    chaos::step(chaos::at::left_parent);
    worker& w = *this_worker();
    if (!w.jobs.owner().push(record_)) [[unlikely]] push_tripped(w);
  }
  // When its function has ended: true if the continuation was not stolen, and the parent goes on here.
  static bool take_parent_back() noexcept {
    worker& w = *this_worker();
    if (w.now.own.get() != nullptr) [[unlikely]] end_clock();
    return w.jobs.owner().take_back() || robbed_but_settles();
  }
  // After a robbery, once: what the parent has, or will find. From here on the computation is counted.
  HEIST_API void* meet_parent(maker_of_shared make) noexcept;
  // The same for a detached computation, whose parent has no use for it: takes the continuation back and returns to the
  // parent, or meets the parent and ends.
  HEIST_API stack* end_detached() noexcept;

 private:
  friend void* meet_child(unattached&, maker_of_shared) noexcept;
  HEIST_API HEIST_COLD void push_tripped(worker& w) noexcept;
  HEIST_API HEIST_COLD static void end_clock() noexcept;
  HEIST_API HEIST_COLD static bool robbed_but_settles() noexcept;

  unattached* const record_;  // after a robbery only a name: the parent's frame may be gone
  // When the parent has met the child first. Under the lock of the record.
  bool met_ = false;
  void* shared_ = nullptr;
};

// A strand in a pool: `body(&record)` runs on the child's stack. Returns when the parent continues; false, at once, if
// there is no stack: then the caller calls its function.
[[nodiscard]] HEIST_API bool start(unattached& record, on_arrival body) noexcept;
// A counted computation, last: what its strand has left is for loose::wait().
HEIST_API void end_loose() noexcept;

// In the program's profile, a future that a thread outside every pool begins and asks for is a child of the program;
// one that nobody asks for is a root. count_begun(): null without a profile, and in a pool.
HEIST_API const void* count_begun(const scheduler& pool) noexcept;
void count_asked(belongings& all, const void* point) noexcept;
void count_unasked(belongings& all) noexcept;

// Such a computation on its way into a pool from outside. Allocated on the heap; `body` deletes it.
struct loose_job : job {
  using runner = void (*)(loose_job&) noexcept;
  HEIST_API explicit loose_job(runner run_body) noexcept;

  const runner body;

 private:
  static stack* steal(job& self) noexcept;
  static const kind root;
};
// Any thread. Some worker of the pool runs it, or one that has the ticket, and it is counted until then.
HEIST_API void inject(scheduler& pool, loose_job& j, ticket* held = nullptr) noexcept;

// The pool that the caller is in, or else the default pool. Throws what default_pool() throws.
HEIST_API scheduler& scheduler_around();
HEIST_INLINE bool inside(const scheduler& pool) noexcept {
  const worker* const w = this_worker();
  return w != nullptr && &w->pool == &pool;
}

// A function that can be moved without an exception: itself, or in a box.
template <class F>
auto movable(F&& f) {
  using function = std::decay_t<F>;
  auto box = std::make_unique<function>(std::forward<F>(f));
  return [held = std::move(box)]() -> result_of<function> { return std::invoke(std::move(*held)); };
}
template <class F>
constexpr bool moves_safely = std::is_nothrow_constructible_v<std::decay_t<F>, F&&>;

// Detached functions --------------------------------------------------------------------------------------------------

// In a catch (...), at a worker.
HEIST_API HEIST_COLD void report_unhandled() noexcept;

template <class F>
consteval bool can_detach() noexcept {
  static_assert(std::is_invocable_v<std::decay_t<F>>, "heist::detach takes a function that can be called without arguments");
  static_assert(can_spawn<F> || !std::is_invocable_v<std::decay_t<F>>,
                "heist::detach keeps a copy of its function, and this one cannot be copied; pass it with std::move");
  return can_spawn<F>;
}

template <class F>
void run_detached(F& f) noexcept {
  try {
    strand_of([&] { std::invoke(std::move(f)); });
  } catch (...) {
    report_unhandled();
  }
}

#if defined(HEIST_RACE)
// By address, and out of line: it must not touch what its parent has on the stack.
template <class F>
[[gnu::noinline]] void run_held(F* held) noexcept {
  const std::unique_ptr<F> mine(held);
  run_detached(*mine);
}
#endif

template <class F>
stack* run_detached_child(void* self) noexcept {
  tsan_acquire(self);
  auto& record = *static_cast<unattached*>(self);
  unattached_child me(record);
  {
    std::decay_t<F> f(static_cast<F&&>(*static_cast<std::remove_reference_t<F>*>(record.function)));
    me.leave_parent();
    run_detached(f);
  }
  return me.end_detached();
}

template <class F>
void detach_here(std::remove_reference_t<F>& f) {
  unattached record(const_cast<void*>(static_cast<const void*>(&f)), asker::nobody);
  if (start(record, &run_detached_child<F>)) {
    if (record.robbed) meet_child(record, nullptr);
    return;
  }
  std::decay_t<F> here(static_cast<F&&>(f));
  run_detached(here);
}

template <class F>
void detach_in(scheduler& pool, F&& f) {
  if constexpr (std::is_function_v<std::remove_reference_t<F>>) {
    detach_in(pool, &f);
#if defined(HEIST_RACE)
  } else if constexpr (true) {
    auto* const held = new std::decay_t<F>(std::forward<F>(f));
    race::place p;
    race::begin_future(p);
    detail::run_held(held);
    race::forget(race::end_future(p));
#endif
  } else if (!inside(pool)) {
    struct held : loose_job {
      explicit held(F&& from)
          : loose_job([](loose_job& self) noexcept {
              const std::unique_ptr<held> mine(static_cast<held*>(&self));
              run_detached(mine->f);
            }),
            f(std::forward<F>(from)) {}
      std::decay_t<F> f;
    };
    inject(pool, *new held(std::forward<F>(f)));
  } else if constexpr (moves_safely<F>) {
    detach_here<F>(f);
  } else {
    auto boxed = movable(std::forward<F>(f));
    detach_here<decltype(boxed)>(boxed);
  }
}

}  // namespace heist::detail

HEIST_END
