#pragma once
// A branch that can travel: one that a thief from outside may have carried out elsewhere. See
// protocols/stealing.md, "A thief from outside".

#include <heist/base/export.hpp>
#include <heist/sched/closure.hpp>

#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// Such a function has, beside its call operator, a member travel() with the same result. That one is called instead by a
// thief from outside. It must wait (heist::suspend) before it does anything that takes long.
template <class F>
concept can_travel = requires(std::remove_cvref_t<F>& f) {
  requires std::remove_cvref_t<F>::travels;
  f.travel();
};

template <class F>
decltype(auto) travel(F& f) {
  return f.travel();
}

// Whether a queued child can.
enum class journeys : bool { none, possible };

// In the job that the calling thread has just stolen, once: whether the thread is a thief from outside.
HEIST_API bool lends_this() noexcept;

}  // namespace heist::detail

HEIST_END
