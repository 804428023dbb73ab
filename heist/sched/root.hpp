#pragma once
// A function on its way through a pool, from outside.

#include <heist/base/export.hpp>
#include <heist/sched/closure.hpp>
#include <heist/sched/fork.hpp>

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

class scheduler;

// Lies in the caller's frame, which outlives it: the caller waits.
struct HEIST_VERSIONED root {
  explicit root(void (*body)(root&) noexcept) noexcept : invoke(body) {}

  void (*const invoke)(root&) noexcept;
};

// The calling thread is not in pool `s`. Returns when the root has ended, on the calling thread.
HEIST_API void run_root(scheduler& s, root& r);
// The same, in the default pool.
HEIST_API void run_root(root& r);

// A root, and what came of it.
template <class F>
class root_call : public root {
 public:
  explicit root_call(std::remove_reference_t<F>& f) noexcept : root(&root_call::run), f_(f) {}

  value_of<F> take() {
    if (failure_) std::rethrow_exception(std::move(failure_));
    return std::move(*value_);
  }

 private:
  static void run(root& self) noexcept {
    auto& r = static_cast<root_call&>(self);
    try {
      r.value_.emplace(call(static_cast<F&&>(r.f_)));
    } catch (...) {
      r.failure_ = carry_exception();
    }
  }

  std::remove_reference_t<F>& f_;
  std::optional<value_of<F>> value_;
  std::exception_ptr failure_;
};

// A thread outside every pool: what f returns or throws, in the default pool.
template <class F>
result_of<F&> run_outside(F& f) {
  root_call<F&> r(f);
  run_root(r);
  if constexpr (std::is_void_v<result_of<F&>>)
    r.take();
  else
    return r.take();
}

}  // namespace heist::detail

HEIST_END
