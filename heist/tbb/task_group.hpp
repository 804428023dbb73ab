#pragma once
// task_group: functions that run until somebody waits for all of them. task_arena: a pool of a size.

#include <heist/async.hpp>
#include <heist/base/export.hpp>
#include <heist/cancelled.hpp>
#include <heist/condition_variable.hpp>
#include <heist/mutex.hpp>
#include <heist/pool.hpp>
#include <heist/tbb/context.hpp>
#include <heist/worker_index.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::tbb {

enum task_group_status { not_complete, complete, canceled };

class HEIST_TYPE task_group;
class HEIST_TYPE task_arena;

// A function that a group has been told of, and that nobody has run.
class HEIST_TYPE task_handle {
 public:
  HEIST_OWN ~task_handle() = default;
  HEIST_OWN task_handle() = default;
  HEIST_OWN task_handle(task_group& group, std::shared_ptr<std::function<void()>> f) : group_(&group), f_(std::move(f)) {}
  HEIST_OWN task_handle(task_handle&&) = default;
  HEIST_OWN task_handle& operator=(task_handle&&) = default;
  HEIST_OWN explicit operator bool() const noexcept { return f_ != nullptr; }
  HEIST_OWN std::shared_ptr<std::function<void()>> take() { return std::move(f_); }
  HEIST_OWN task_group& group() const noexcept { return *group_; }

  HEIST_OWN friend bool operator==(const task_handle& h, std::nullptr_t) noexcept { return h.f_ == nullptr; }

 private:
  task_group* group_ = nullptr;
  std::shared_ptr<std::function<void()>> f_;
};

// Any strand or thread may run functions in it and wait; the group must outlive them. The destructor waits.
class HEIST_TYPE task_group {
 public:
  HEIST_OWN task_group() = default;
  HEIST_OWN explicit task_group(task_group_context& context) : context_(&context) {}
  HEIST_API ~task_group();
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  // Runs f in the pool that the caller is in, or else as calls from outside do.
  template <class F>
  HEIST_OWN void run(F&& f) {
    auto task = begun(std::forward<F>(f));
    if (detail::this_worker() != nullptr)
      heist::detach(std::move(task));
    else
      detail::controlled_pool().detach(std::move(task));
  }
  HEIST_OWN void run(task_handle&& h) {
    run([f = h.take()] { (*f)(); });
  }
  template <class F>
  [[nodiscard]] HEIST_OWN task_handle defer(F&& f) {
    return task_handle(*this, std::make_shared<std::function<void()>>(std::forward<F>(f)));
  }

  // Returns when all have ended; throws what one of them has thrown.
  HEIST_API task_group_status wait();
  template <class F>
  HEIST_OWN task_group_status run_and_wait(F&& f) {
    run(std::forward<F>(f));
    return wait();
  }
  HEIST_OWN task_group_status run_and_wait(task_handle&& h) {
    run(std::move(h));
    return wait();
  }
  // Functions that have not begun do not run; loops inside the others stop.
  HEIST_API void cancel();
  [[nodiscard]] HEIST_API bool is_canceling();

 private:
  friend task_arena;

  // f as the pool shall call it. The group waits for it from now on.
  template <class F>
  HEIST_OWN auto begun(F&& f) {
    std::optional<std::decay_t<F>> mine(std::forward<F>(f));  // before it counts: it may throw
    begin();
    return [this, f = std::move(mine)]() mutable { perform(f); };
  }

  template <class F>
  HEIST_OWN void perform(std::optional<F>& f) noexcept {
    if (std::stop_token token; wanted(token)) {
      try {
        detail::until(token, [&f] { (*f)(); });
      } catch (...) {
        fail();
      }
    }
    f.reset();  // what it has captured ends before the wait does
    end();
  }

  HEIST_API void begin() noexcept;
  HEIST_API bool wanted(std::stop_token& token) noexcept;
  HEIST_API void fail() noexcept;  // in a catch (...)
  HEIST_API void end() noexcept;

  mutex lock_;
  condition_variable all_ended_;
  std::size_t out_ = 0;
  std::stop_source stop_;
  std::exception_ptr failure_;
  task_group_context* context_ = nullptr;
};

// A strand that waits never runs unrelated work in heist: every group is isolated.
using isolated_task_group = task_group;

// Names what exists already: the arena that the caller is in, or the default pool.
struct HEIST_TYPE attach {};

// Where memory is near: not told apart here, as by oneTBB on a machine that it does not know.
using numa_node_id = int;
using core_type_id = int;

// A pool of its own; with automatic concurrency, the pool of calls from outside.
class HEIST_TYPE task_arena {
 public:
  static constexpr int automatic = -1;
  static constexpr int not_initialized = -2;
  enum class priority : int { low, normal, high };
  using attach = tbb::attach;
  // Of these, only max_concurrency has an effect.
  struct HEIST_TYPE constraints {
    numa_node_id numa_id = automatic;
    int max_concurrency = automatic;
    core_type_id core_type = automatic;
    int max_threads_per_core = automatic;

    HEIST_OWN explicit constraints(numa_node_id node = automatic, int concurrency = automatic)
        : numa_id(node), max_concurrency(concurrency) {}
    HEIST_OWN constraints& set_numa_id(numa_node_id id) { return numa_id = id, *this; }
    HEIST_OWN constraints& set_max_concurrency(int n) { return max_concurrency = n, *this; }
    HEIST_OWN constraints& set_core_type(core_type_id id) { return core_type = id, *this; }
    HEIST_OWN constraints& set_max_threads_per_core(int n) { return max_threads_per_core = n, *this; }
  };

  HEIST_OWN explicit task_arena(int max_concurrency = automatic, unsigned = 1, priority = priority::normal)
      : wanted_(max_concurrency) {}
  HEIST_OWN explicit task_arena(attach) : task_arena() {}
  HEIST_OWN explicit task_arena(const constraints& of, unsigned reserved = 1, priority p = priority::normal)
      : task_arena(of.max_concurrency, reserved, p) {}
  HEIST_OWN task_arena(const task_arena& other) : wanted_(other.wanted_) {}
  task_arena& operator=(const task_arena&) = delete;
  HEIST_API ~task_arena();

  HEIST_API void initialize();
  HEIST_OWN void initialize(int max_concurrency, unsigned = 1, priority = priority::normal) {
    if (!is_active()) wanted_ = max_concurrency;
    initialize();
  }
  HEIST_OWN void initialize(const constraints& of, unsigned reserved = 1, priority p = priority::normal) {
    initialize(of.max_concurrency, reserved, p);
  }
  HEIST_OWN void initialize(attach) { initialize(); }
  // Waits for what was enqueued.
  HEIST_API void terminate();
  [[nodiscard]] HEIST_API bool is_active() const;
  [[nodiscard]] HEIST_API int max_concurrency() const;

  // Runs f in the arena, and returns what it returns.
  template <class F>
  HEIST_OWN auto execute(F&& f) {
    return mine().run(std::forward<F>(f));
  }
  // The same; nobody waits for it.
  template <class F>
  HEIST_OWN void enqueue(F&& f) {
    mine().detach(std::forward<F>(f));
  }
  HEIST_OWN void enqueue(task_handle&& h) {
    task_group& group = h.group();
    mine().detach(group.begun([f = h.take()] { (*f)(); }));
  }
  template <class F>
  HEIST_OWN void enqueue(F&& f, task_group& group) {
    mine().detach(group.begun(std::forward<F>(f)));
  }
  HEIST_OWN task_group_status wait_for(task_group& group) {
    return execute([&group] { return group.wait(); });
  }

 private:
  HEIST_API pool& mine();

  int wanted_;
  mutable std::mutex lock_;
  std::unique_ptr<pool> own_;
  bool active_ = false;
};

namespace this_task_arena {

[[nodiscard]] HEIST_API int max_concurrency();
// The number of the seat; outside, task_arena::not_initialized.
[[nodiscard]] inline int current_thread_index() {
  const std::size_t k = worker_index();
  return k == no_worker ? task_arena::not_initialized : static_cast<int>(k);
}
template <class F>
auto isolate(F&& f) {
  return std::forward<F>(f)();
}
template <class F>
void enqueue(F&& f) {
  if (detail::this_worker() != nullptr)
    heist::detach(std::forward<F>(f));
  else
    detail::controlled_pool().detach(std::forward<F>(f));
}

}  // namespace this_task_arena

// Whether the innermost group or context that the caller runs in was cancelled. Nothing is known of groups further out.
[[nodiscard]] HEIST_API bool is_current_task_group_canceling();

}  // namespace heist::tbb

HEIST_END
