#pragma once
// affinity: repeated loops over the same data, with the same parts on the same workers.

#include <heist/algorithm/index.hpp>
#include <heist/algorithm/function.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>
#include <heist/for_each.hpp>

#include <cstddef>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {
class affinity_map;
using affinity_piece = void(void* loop, std::size_t first, std::size_t last);
}  // namespace detail

// Remembers which worker had which part of a loop. Passed last to for_each_index or for_each, loop after loop over the same
// data, it makes each worker begin with the parts that it had before, which may still be in its caches. When it has done
// those, it takes parts of others, and what is left of a part is split when a worker is idle. So a loop is as balanced as
// without, and on one worker it runs in order.
//
// If the number of elements changes, it begins anew, and so it does if there are four times as many workers as before. When
// workers leave, others take their parts; those that soon return have theirs again. A loop that begins while another one with the same affinity
// is under way runs without. After Acar, Blelloch and Blumofe, "The data locality of work stealing" (2000).
class HEIST_TYPE affinity {
 public:
  HEIST_API affinity();
  HEIST_API ~affinity();
  affinity(const affinity&) = delete;
  affinity& operator=(const affinity&) = delete;

  // Any thread: calls piece(loop, a, b) for pieces of [0, n).
  HEIST_API void run(std::size_t n, detail::affinity_piece* piece, void* loop);

 private:
  std::unique_ptr<detail::affinity_map> map_;
};

template <class I, class L, class F>
HEIST_OWN void for_each_index(I first, L last, F&& f, affinity& a) {
  if constexpr (detail::can_count<I, L, F>()) {
    using index = detail::index_type<I, L>;
    const detail::end_type<I, L> end = last;
    if (!detail::is_before(first, end)) return;
    if (detail::is_before(std::numeric_limits<index>::max(), end)) detail::refuse_index();
    struct counted {
      F& f;
      std::size_t from;
    } all{f, static_cast<std::size_t>(first)};
#if defined(HEIST_RACE)
    return detail::race::for_all(static_cast<std::size_t>(end) - all.from,
                                 [&all](std::size_t i) { all.f(static_cast<index>(all.from + i)); });
#endif
    a.run(
        static_cast<std::size_t>(end) - all.from,
        [](void* loop, std::size_t b, std::size_t e) {
          auto& [body, from] = *static_cast<counted*>(loop);
          for (std::size_t i = b; i != e; ++i) body(static_cast<index>(from + i));
        },
        &all);
  }
}

template <std::ranges::random_access_range R, class F>
  requires std::ranges::sized_range<R>
HEIST_OWN auto for_each(R&& r, F f, affinity& a) {
  const auto first = std::ranges::begin(r);
  const auto n = std::ranges::distance(r);
  for_each_index(std::ptrdiff_t{0}, static_cast<std::ptrdiff_t>(n),
                 [&](std::ptrdiff_t i) { f(first[static_cast<std::ranges::range_difference_t<R>>(i)]); }, a);
  return std::ranges::for_each_result<std::ranges::borrowed_iterator_t<R>, F>{first + n, std::move(f)};
}

}  // namespace heist

HEIST_END
