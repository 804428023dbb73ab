#pragma once
// Where calls in heist::tbb run, and what stops them.

#include <heist/base/export.hpp>
#include <heist/cancelled.hpp>
#include <heist/pool.hpp>
#include <heist/sched/unwanted.hpp>
#include <heist/strand/worker.hpp>

#include <cstddef>
#include <stop_token>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::tbb {

// Stops the calls that it is passed to.
class HEIST_TYPE task_group_context {
 public:
  enum kind_type { isolated, bound };
  HEIST_OWN explicit task_group_context(kind_type = bound) {}
  HEIST_OWN ~task_group_context() = default;
  task_group_context(const task_group_context&) = delete;
  task_group_context& operator=(const task_group_context&) = delete;

  // True for the first request.
  HEIST_OWN bool cancel_group_execution() { return stop_.request_stop(); }
  HEIST_OWN bool is_group_execution_cancelled() const { return stop_.stop_requested(); }
  // When nothing runs with it.
  HEIST_OWN void reset() { stop_ = std::stop_source(); }
  HEIST_OWN std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
};

// Bounds what the calling process uses, while it lives.
class HEIST_TYPE global_control {
 public:
  enum parameter { max_allowed_parallelism, thread_stack_size, terminate_on_exception };

  // The smallest parallelism of those that live applies, to calls that enter a pool from then on; the largest stack size, to
  // pools that are made from then on.
  HEIST_API global_control(parameter p, std::size_t value);
  HEIST_API ~global_control();
  global_control(const global_control&) = delete;
  global_control& operator=(const global_control&) = delete;

  [[nodiscard]] HEIST_API static std::size_t active_value(parameter p);

 private:
  const parameter parameter_;
  const std::size_t value_;
};

}  // namespace heist::tbb

namespace heist::detail {

// The pool for calls from outside: the default pool, or one of the size that a global_control sets.
HEIST_API pool& controlled_pool();
// Whether that is not the default pool.
HEIST_API bool is_controlled() noexcept;

// Calls f in the pool that the caller is in, or else in that one.
template <class F>
result_of<F> in_arena(F&& f) {
  if (this_worker() != nullptr) return std::forward<F>(f)();
  return controlled_pool().run(std::forward<F>(f));
}

// The same with a context; a stop ends it quietly, as oneTBB does.
template <class F>
void in_context(tbb::task_group_context& c, F&& f) {
  try {
    in_arena([&] { detail::until(c.token(), f); });
  } catch (const cancelled&) {
    if (!c.is_group_execution_cancelled()) throw;
  }
}

// What may follow the arguments of a call: a partitioner, and a context. Runs f in the context, if there is one.
template <class F>
void in_any_context(F&& f) {
  in_arena(f);
}
template <class F, class First, class... Rest>
void in_any_context(F&& f, First& first, Rest&... rest) {
  if constexpr (std::is_same_v<First, tbb::task_group_context>)
    detail::in_context(first, f);
  else
    detail::in_any_context(f, rest...);
}

}  // namespace heist::detail

HEIST_END
