#pragma once
// Counted loops.

#include <heist/join.hpp>
#include <heist/pool.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace heist {

// The most iterations that are run without a fork between them; may be passed last to a loop. 0 counts as 1.
struct grain {
  std::size_t size;
};

namespace detail {

// How many: without overflow also where it is more than the type can say.
template <class I>
constexpr std::size_t distance(I first, I last) noexcept {
  return static_cast<std::size_t>(last) - static_cast<std::size_t>(first);
}

// Halves until no more than `most` are left. Work n, span lg n and one grain.
template <class I, class F>
void for_range(I first, I last, std::size_t most, F& f) {
  const std::size_t n = distance(first, last);
  if (n <= most) {
    for (; first != last; ++first) f(first);
    return;
  }
  const I middle = static_cast<I>(static_cast<std::size_t>(first) + n / 2);
  join([=, &f] { for_range(first, middle, most, f); }, [=, &f] { for_range(middle, last, most, f); });
}

}  // namespace detail

// Calls f(i) for every i in [first, last), possibly in parallel. Without a grain the range is cut into about eight
// pieces a worker.
template <class I, class F>
void for_each_index(I first, std::type_identity_t<I> last, F&& f, grain g) {
  static_assert(std::is_integral_v<I>, "heist::for_each_index counts with integers");
  if (first >= last) return;
  const std::size_t most = std::max<std::size_t>(g.size, 1);
  if (detail::distance<I>(first, last) <= most || detail::this_worker() != nullptr)
    return detail::for_range(first, last, most, f);
  default_pool().run([&] { detail::for_range(first, last, most, f); });
}

template <class I, class F>
void for_each_index(I first, std::type_identity_t<I> last, F&& f) {
  static_assert(std::is_integral_v<I>, "heist::for_each_index counts with integers");
  if (first >= last) return;
  const std::size_t pieces = std::size_t{8} * detail::workers_here();
  for_each_index(first, last, std::forward<F>(f), grain{detail::distance<I>(first, last) / pieces});
}

}  // namespace heist
