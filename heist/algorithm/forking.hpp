#pragma once
// How the algorithms fork: by the addresses of their branches, so that a join is compiled once, in
// the library, and not for each algorithm and type. Their branches are long enough for that.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/enter.hpp>
#include <heist/base/export.hpp>
#include <heist/join.hpp>
#include <heist/race/strands.hpp>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// In a pool: a join of the two.
HEIST_API void join_addresses(forking_way way, address first, address second);

// In a pool: like join(f, g), except that the result is always a tuple; or like join_steadily(f,
// g).
template <forking_way way = forking_way::may_stop, class F, class G>
std::tuple<value_of<F>, value_of<G>> join_out_of_line(F&& f, G&& g) {
  errand<F> first(f);
  errand<G> second(g);
  join_addresses(way, {&errand<F>::run, &first}, {&errand<G>::run, &second});
  return {first.take(), second.take()};
}

// In a pool: how an algorithm's own code forks if its branches are short. The same as join(f, g), except that a build for
// races runs one after the other and does not take them for branches of the program's.
template <class F, class G>
HEIST_INLINE auto join_inside(F&& f, G&& g) {
#if defined(HEIST_RACE)
  if constexpr (std::is_void_v<join_result<F, G>>) {
    f();
    g();
  } else {
    value_of<F> a = call(f);
    value_of<G> b = call(g);
    return std::tuple<value_of<F>, value_of<G>>(std::move(a), std::move(b));
  }
#else
  return join(static_cast<F&&>(f), static_cast<G&&>(g));
#endif
}

// How an algorithm forks that is compiled once, in the library, whatever its caller's options are.
class any_forking {
 public:
  any_forking(std::size_t size, void (*look)(const void*), const void* options) noexcept
      : grain_(size), check_(look), options_(options) {}

  std::size_t grain() const noexcept { return grain_; }
  void check() const { check_(options_); }
  template <class F, class G>
  auto fork(F&& f, G&& g) const {
    return detail::join_out_of_line<forking_way::steady>(std::forward<F>(f), std::forward<G>(g));
  }

 private:
  const std::size_t grain_;
  void (*const check_)(const void*);
  const void* const options_;
};

// How the recursions of sort, merge and the filters fork. The tests use another such class, which
// counts work and span.
template <option... O>
class forking {
  static_assert(no_limit_here<options_of<O...>>());

 public:
  // `ours` is the number of elements worth a fork, unless the caller passes a grain.
  forking(const options_of<O...>& o, std::size_t ours) noexcept : options_(o), grain_(o.grain_or(ours)) {}

  std::size_t grain() const noexcept { return grain_; }
  // Between stretches of work: throws if a stop was requested.
  void check() const { options_.check(); }

  // Calls f, which works on n elements; in a pool, if they are worth a fork.
  template <class F>
  result_of<F&> enter(std::size_t n, F&& f) const {
#if defined(HEIST_RACE)
    const race::algorithm whole;
    return f();
#endif
    if (n > grain_ && this_worker() == nullptr) return call_through(run_outside, f);
    return f();
  }

  template <class F, class G>
  auto fork(F&& f, G&& g) const {
    return detail::join_out_of_line<forking_way::steady>(std::forward<F>(f), std::forward<G>(g));
  }

  // While this lives.
  any_forking any() const noexcept {
    return {grain_, [](const void* o) { static_cast<const options_of<O...>*>(o)->check(); }, &options_};
  }

 private:
  const options_of<O...>& options_;
  const std::size_t grain_;
};

// For recursions that one strand runs by itself.
struct not_forking {
  static constexpr std::size_t grain() noexcept { return std::size_t{1} << 50; }
  static void check() noexcept {}
  template <class F, class G>
  static auto fork(F&& f, G&& g) {
    return detail::join_out_of_line<forking_way::steady>(std::forward<F>(f), std::forward<G>(g));
  }
};

// Calls body(k) for every k in [lo, hi), each worth a fork. Continues after a stop request: code
// that moves elements must not leave any behind.
template <class How, class Body>
void for_each_block(const How& how, std::size_t lo, std::size_t hi, const Body& body) {
  if (lo == hi) return;
  if (hi - lo == 1) return body(lo);
  const std::size_t middle = lo + (hi - lo) / 2;
  how.fork([&, lo, middle] { detail::for_each_block(how, lo, middle, body); },
           [&, middle, hi] { detail::for_each_block(how, middle, hi, body); });
}

// Calls body(a, b) for consecutive pieces of [0, n), none longer than `most`.
template <class How, class Body>
void in_pieces(const How& how, std::size_t n, std::size_t most, const Body& body) {
  detail::for_each_block(how, 0, n / most + (n % most != 0),
                         [&body, n, most](std::size_t k) { body(k * most, std::min(n, (k + 1) * most)); });
}

}  // namespace heist::detail

HEIST_END
