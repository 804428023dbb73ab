#pragma once
// scope: any number of children, and one point where all have ended.

#include <heist/base/export.hpp>
#include <heist/pool.hpp>
#include <heist/sched/child.hpp>
#include <heist/sched/closure.hpp>
#include <heist/sched/strand.hpp>

#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

namespace heist {

// Only the strand that made a scope may use it (helpers it calls included): not a branch of an inner join, not another
// child. What a child captures by reference must outlive sync().
class scope {
 public:
  scope() = default;
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;

  // Syncs. Throws a child's exception if no other is on its way.
  ~scope() noexcept(false) {
    const std::exception_ptr e = ended();
    if (e && std::uncaught_exceptions() == uncaught_) std::rethrow_exception(e);
  }

  // Runs f now, and leaves the rest of the caller to thieves: the code after it may go on on another thread, while f is
  // still running. One worker alone runs f to its end and then the rest, as if f had been called. Never throws f's
  // exception: sync() does. Outside any pool it hands f to the default pool.
  template <class F>
  void spawn(F&& f) {
    check<F>();
    if constexpr (!detail::can_spawn<F>)
      return;
    else if constexpr (std::is_function_v<std::remove_reference_t<F>>)
      spawn(&f);
    else if (books_.outside())
      queue(std::forward<F>(f));
    else
      spawn_here(std::forward<F>(f));
  }

  // Leaves f to thieves and goes on; sync() runs what they did not take. Past a bound on waiting children it runs f at
  // once. For loops whose children are worth more than the rest of the loop; the space bound is not claimed for it.
  template <class F>
  void spawn_later(F&& f) {
    check<F>();
    if constexpr (detail::can_spawn<F>) queue(std::forward<F>(f));
  }

  // Returns when all children have ended, perhaps on another thread. Throws the exception of the first child in spawn
  // order that threw one. The scope can then be used again.
  void sync() {
    if (const std::exception_ptr e = ended()) std::rethrow_exception(e);
  }

 private:
  template <class F>
  void check() const noexcept {
    static_assert(std::is_invocable_v<std::decay_t<F>>, "heist::scope: a child is called without arguments");
    static_assert(detail::can_spawn<F> || !std::is_invocable_v<std::decay_t<F>>,
                  "heist::scope: a child has a copy of its function, and this one cannot be copied; pass it with std::move");
#if defined(HEIST_CHECKED)
    books_.check_strand();
#endif
  }

  std::exception_ptr ended() noexcept {
#if defined(HEIST_CHECKED)
    books_.check_strand();
#endif
    books_.wait();
    return books_.take_failure();
  }

  template <class F>
  void spawn_here(F&& f) {
    using function = std::decay_t<F>;
    if constexpr (std::is_nothrow_constructible_v<function, F&&>) {
      spawn_from<F>(f);
    } else {
      // What copying f throws, spawn throws: before there is a child.
      auto moved = std::make_unique<function>(std::forward<F>(f));
      auto owner = [held = std::move(moved)] { std::invoke(std::move(*held)); };
      spawn_from<decltype(owner)>(owner);
    }
  }

  template <class F>
  void spawn_from(std::remove_reference_t<F>& f) {
    using function = std::decay_t<F>;
    detail::spawned child(books_, const_cast<void*>(static_cast<const void*>(&f)));
    const bool started = books_.start(child,
        [](void* self) noexcept {
          detail::tsan_acquire(self);
          auto& record = *static_cast<detail::spawned*>(self);
          detail::scope_books& owner = *record.owner;
          detail::stack& parent = *record.parent;
          const std::int64_t number = record.number;
          detail::forked how;
          {
            function mine(static_cast<F&&>(*static_cast<std::remove_reference_t<F>*>(record.function)));
            how = detail::leave_parent(record, parent);
            run(mine, owner, number);
          }
          return detail::end_child(owner, number, parent, how);
        });
    if (started) return;
    detail::begin_measured_child(0);
    function here(static_cast<F&&>(f));
    run(here, books_, child.number);
    detail::end_measured_child(books_);
  }

  template <class F>
  void queue(F&& f) {
    using function = std::decay_t<F>;
    struct held_child : detail::queued_child {
      held_child(detail::scope_books& of, F&& from)
          : queued_child(of,
                         [](queued_child& self) noexcept {
                           const std::unique_ptr<held_child> mine(static_cast<held_child*>(&self));
                           run(mine->f, *mine->owner, mine->number);
                         }),
            f(std::forward<F>(from)) {}
      function f;
    };
    books_.queue(*new held_child(books_, std::forward<F>(f)));
  }

  template <class F>
  static void run(F& f, detail::scope_books& owner, std::int64_t number) noexcept {
    try {
      detail::strand_of([&] { std::invoke(std::move(f)); });
    } catch (...) {
      owner.fail(number, detail::carry_exception());
    }
  }

  detail::scope_books books_;
  const int uncaught_ = std::uncaught_exceptions();
};

}  // namespace heist
