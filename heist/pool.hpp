#pragma once
// pool: a set of workers, and how to run something in it.

#include <heist/base/export.hpp>
#include <heist/base/sole.hpp>
#include <heist/options.hpp>
#include <heist/sched/broadcast.hpp>
#include <heist/sched/closure.hpp>
#include <heist/sched/root.hpp>
#include <heist/sched/unattached.hpp>
#include <heist/sched/unwanted.hpp>
#include <heist/strand/worker.hpp>
#include <heist/stats.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist {

// How many workers can run at once in this process, by its affinity mask and the CPU quota of every
// cgroup that it is in. At least 1.
[[nodiscard]] HEIST_API unsigned available_parallelism();

class HEIST_TYPE pool;

namespace detail {
HEIST_API scheduler& scheduler_of(pool& p) noexcept;
pool* make_default_pool();
// The number of workers of the pool that the caller is in, or else of the default pool.
HEIST_API unsigned workers_here();
}

class HEIST_TYPE pool {
 public:
  // Throws std::invalid_argument if an option is out of range. Threads start with the first parallel
  // work. They have the affinity mask, nice value and scheduling policy that the calling thread has
  // now, and they block all signals except the synchronous ones.
  HEIST_API explicit pool(const options& wanted = {});
  // A mistake that is answered by one sentence.
  template <std::integral N>
  HEIST_OWN explicit pool(N) : pool(options()) {
    static_assert(!std::integral<N>, "heist::pool takes options, as in heist::pool({.workers = 8})");
  }
  // All calls of run() must have returned. Waits for what was detached, and for what async() began.
  HEIST_API ~pool();
  pool(pool&&) = delete;

  // Runs f in the pool. Returns what f returns, or throws what it throws, on the calling thread.
  // Meanwhile the calling thread works on nothing but f. A call from inside the pool calls f
  // directly. If no worker is idle, a caller runs in addition to the workers; options::most_callers
  // limits that.
  template <class F>
  HEIST_OWN detail::result_of<F> run(F&& f);

  // The same, with a stop token. After a stop request, f's loops, waits other than for a mutex, and
  // forks that take the slow path, throw heist::cancelled. So does this call, unless f ends normally or throws something else.
  template <class F>
  HEIST_OWN detail::result_of<F> run(F&& f, const std::stop_token& token);

  // Refused: arguments of f.
  template <class F, class T, class... More>
    requires(sizeof...(More) > 0 || !std::is_convertible_v<T, std::stop_token>)
  HEIST_OWN void run(F&&, T&&, More&&...) {
    static_assert(std::is_void_v<F>, "heist::pool::run takes a function and perhaps a std::stop_token; let a lambda capture arguments");
  }

  // Runs f in the pool; nobody waits for its end. In the pool f runs now, and the rest of the caller is left to thieves.
  // From outside f waits for an idle worker, and the caller goes on. An exception goes to options::on_unhandled or ends the
  // program.
  template <class F>
  HEIST_OWN void detach(F&& f);
  // Refused: arguments of f.
  template <class F, class T, class... More>
  HEIST_OWN void detach(F&&, T&&, More&&...) {
    static_assert(std::is_void_v<F>, "heist::detach: arguments cannot be passed; let a lambda capture them");
  }
  // Outside the pool. Returns when everything detached in it, and everything that async() has begun in it, has ended.
  HEIST_API void wait_idle();
  // The same, but throws heist::cancelled if a stop is requested before that. What runs goes on.
  HEIST_API void wait_idle(const std::stop_token& token);

  // Outside the pool. Every worker calls f(), or f(k) with its number k, once: at its next search, before other work; one that
  // sleeps is woken. Returns when all have, with their results in a std::vector if there are any; throws what the first in
  // the order of numbers has thrown. A worker that is busy, or whose place a caller has taken, is waited for.
  template <class F>
  HEIST_OWN auto broadcast(F&& f);

  // Any thread, also while roots run: the pool has n workers from now on, 1 … 4096, but not fewer than
  // options::workers_least. Throws std::invalid_argument if n is out of range. A worker that must go leaves at its next fork,
  // steal or end; others continue what it was at.
  HEIST_API void resize(unsigned n);
  // How many workers the pool has now.
  [[nodiscard]] HEIST_API unsigned workers() const noexcept;
  [[nodiscard]] HEIST_API statistics stats() const;

 private:
  friend detail::scheduler& detail::scheduler_of(pool& p) noexcept;
  friend pool* detail::make_default_pool();
  explicit pool(detail::scheduler& of) noexcept;

  detail::sole<detail::scheduler> scheduler_;
};

// The pool that join, scope and the algorithms use when called outside any pool. HEIST_WORKERS sets
// its size; a bad value throws std::invalid_argument. The pool is never destroyed. Its threads sleep
// while it has no work, and end with the process.
HEIST_API pool& default_pool();

template <class F>
detail::result_of<F> pool::run(F&& f) {
  static_assert(std::is_invocable_v<F>, "heist::pool::run takes a function that can be called without arguments");
  static_assert(detail::returns_by_value<F>,
                "heist::pool::run: the function returns a reference; return a value or a pointer");
  static_assert(detail::gives_movable<F>,
                "heist::pool::run: the result of the function must be movable; return a std::unique_ptr to it");
  if constexpr (detail::can_run<F>) {
#if defined(HEIST_RACE)
    const detail::race::inside_pool here;
    return std::forward<F>(f)();  // on the calling thread
#endif
    detail::worker* const w = detail::this_worker();
    if (w != nullptr && &w->pool == scheduler_.get()) return std::forward<F>(f)();
    detail::root_call<F> r(f);
    detail::run_root(*scheduler_, r);
    if constexpr (std::is_void_v<std::invoke_result_t<F>>)
      r.take();
    else
      return r.take();
  } else {
    return detail::refused<detail::result_of<F>>();
  }
}

template <class F>
void pool::detach(F&& f) {
  if constexpr (detail::can_detach<F>()) detail::detach_in(*scheduler_, std::forward<F>(f));
}

template <class F>
auto pool::broadcast(F&& f) {
  constexpr bool numbered = std::is_invocable_v<F&, unsigned>;
  static_assert(numbered || std::is_invocable_v<F&>,
                "heist::pool::broadcast takes a function that can be called without arguments, or with a number");
  auto one = [&f](unsigned k) {
    if constexpr (numbered)
      return f(k);
    else
      return static_cast<void>(k), f();
  };
  using result = decltype(one(0u));
  if constexpr (std::is_void_v<result>) {
    detail::broadcast_in(*scheduler_, [](void* g, unsigned k) { (*static_cast<decltype(one)*>(g))(k); }, &one);
  } else {
    std::mutex lock;
    std::vector<std::optional<result>> kept;
    auto keep = [&](unsigned k) {
      result r = one(k);
      const std::lock_guard hold(lock);
      if (k >= kept.size()) kept.resize(k + 1);
      kept[k].emplace(std::move(r));
    };
    detail::broadcast_in(*scheduler_, [](void* g, unsigned k) { (*static_cast<decltype(keep)*>(g))(k); }, &keep);
    std::vector<result> all;
    for (auto& r : kept)
      if (r) all.push_back(*std::move(r));
    return all;
  }
}

// The same in the pool that the caller is in, or else in the default pool. The default pool does not end: call
// default_pool().wait_idle() if a detached computation must have ended before the program does.
template <class F>
HEIST_OWN void detach(F&& f) {
  if constexpr (detail::can_detach<F>()) detail::detach_in(detail::scheduler_around(), std::forward<F>(f));
}
// Refused: arguments of f.
template <class F, class T, class... More>
HEIST_OWN void detach(F&&, T&&, More&&...) {
  static_assert(std::is_void_v<F>, "heist::detach: arguments cannot be passed; let a lambda capture them");
}

template <class F>
detail::result_of<F> pool::run(F&& f, const std::stop_token& token) {
  static_assert(std::is_invocable_v<F>, "heist::pool::run takes a function that can be called without arguments");
  if constexpr (detail::can_run<F>)
    return run([&]() -> detail::result_of<F> { return detail::until<F>(token, static_cast<F&&>(f)); });
  else
    return detail::refused<detail::result_of<F>>();
}

}  // namespace heist

HEIST_END
