#pragma once
// A function that enters a pool from outside.

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

// Lives in the caller's frame, which outlives it because the caller waits.
struct HEIST_VERSIONED root {
  explicit root(void (*body)(root&) noexcept) noexcept : invoke(body) {}

  void (*const invoke)(root&) noexcept;
};

// The calling thread is not in pool `s`. Returns when the root has ended, on the calling thread.
HEIST_API void run_root(scheduler& s, root& r);

// A root and its result.
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

}  // namespace heist::detail

HEIST_END
