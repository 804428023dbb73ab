#pragma once
// heist::par as an execution policy: the standard's parallel algorithms, in the standard's call shape, on heist.
//   heist::std_::sort(heist::par, v.begin(), v.end());
// Every algorithm that the standard has with a policy runs in parallel, on iterators with random access. With others,
// those that heist feeds (algorithm/feed.hpp) run in parallel, and the standard's serial algorithm runs for the rest.
// Exceptions leave the call, as from heist's algorithms, where std::execution::par ends the program.

#include <heist/base/export.hpp>
#include <heist/fill.hpp>
#include <heist/filter.hpp>
#include <heist/find.hpp>
#include <heist/for_each.hpp>
#include <heist/merge.hpp>
#include <heist/order.hpp>
#include <heist/pack.hpp>
#include <heist/par.hpp>
#include <heist/partition.hpp>
#include <heist/rearrange.hpp>
#include <heist/reduce.hpp>
#include <heist/replace.hpp>
#include <heist/scan.hpp>
#include <heist/search.hpp>
#include <heist/select.hpp>
#include <heist/set.hpp>
#include <heist/sort.hpp>
#include <heist/uninitialized.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

template <class T>
inline constexpr bool reachable =
    !std::input_or_output_iterator<std::decay_t<T>> || std::random_access_iterator<std::decay_t<T>>;

// A range that is fed, and that an algorithm may read again.
template <class I>
inline constexpr bool feedable = std::forward_iterator<I> && !std::random_access_iterator<I>;

}  // namespace heist::detail

namespace heist::std_ {

// The same arguments, without the policy.
#define HEIST_STD_PARALLEL(name)                       \
  template <class... Args>                             \
  auto name(const parallel_policy&, Args&&... args) {  \
    if constexpr ((detail::reachable<Args> && ...))    \
      return heist::name(std::forward<Args>(args)...); \
    else                                               \
      return std::name(std::forward<Args>(args)...);   \
  }
// The same for those that heist feeds, too.
#define HEIST_STD_FED(name)                                                                          \
  template <class I, class... Args>                                                                  \
  auto name(const parallel_policy&, I first, I last, Args&&... args) {                               \
    if constexpr (detail::feedable<I> || (detail::reachable<I> && (detail::reachable<Args> && ...))) \
      return heist::name(std::move(first), std::move(last), std::forward<Args>(args)...);            \
    else                                                                                             \
      return std::name(std::move(first), std::move(last), std::forward<Args>(args)...);              \
  }

HEIST_STD_PARALLEL(adjacent_difference)
HEIST_STD_PARALLEL(adjacent_find)
HEIST_STD_PARALLEL(copy)
HEIST_STD_PARALLEL(copy_n)
HEIST_STD_PARALLEL(destroy)
HEIST_STD_PARALLEL(destroy_n)
HEIST_STD_PARALLEL(exclusive_scan)
HEIST_STD_PARALLEL(fill)
HEIST_STD_PARALLEL(fill_n)
HEIST_STD_PARALLEL(find_end)
HEIST_STD_PARALLEL(find_first_of)
HEIST_STD_PARALLEL(find_if_not)
HEIST_STD_PARALLEL(for_each_n)
HEIST_STD_PARALLEL(generate)
HEIST_STD_PARALLEL(generate_n)
HEIST_STD_PARALLEL(includes)
HEIST_STD_PARALLEL(inclusive_scan)
HEIST_STD_PARALLEL(inplace_merge)
HEIST_STD_PARALLEL(is_heap)
HEIST_STD_PARALLEL(is_heap_until)
HEIST_STD_PARALLEL(is_partitioned)
HEIST_STD_PARALLEL(is_sorted)
HEIST_STD_PARALLEL(is_sorted_until)
HEIST_STD_PARALLEL(lexicographical_compare)
HEIST_STD_PARALLEL(merge)
HEIST_STD_PARALLEL(move)
HEIST_STD_PARALLEL(nth_element)
HEIST_STD_PARALLEL(partial_sort)
HEIST_STD_PARALLEL(partial_sort_copy)
HEIST_STD_PARALLEL(partition)
HEIST_STD_PARALLEL(partition_copy)
HEIST_STD_PARALLEL(remove)
HEIST_STD_PARALLEL(remove_copy)
HEIST_STD_PARALLEL(remove_copy_if)
HEIST_STD_PARALLEL(remove_if)
HEIST_STD_PARALLEL(replace)
HEIST_STD_PARALLEL(replace_copy)
HEIST_STD_PARALLEL(replace_copy_if)
HEIST_STD_PARALLEL(replace_if)
HEIST_STD_PARALLEL(reverse)
HEIST_STD_PARALLEL(reverse_copy)
HEIST_STD_PARALLEL(rotate)
HEIST_STD_PARALLEL(rotate_copy)
HEIST_STD_PARALLEL(search)
HEIST_STD_PARALLEL(search_n)
HEIST_STD_PARALLEL(set_difference)
HEIST_STD_PARALLEL(set_intersection)
HEIST_STD_PARALLEL(set_symmetric_difference)
HEIST_STD_PARALLEL(set_union)
HEIST_STD_PARALLEL(shift_left)
HEIST_STD_PARALLEL(shift_right)
HEIST_STD_PARALLEL(sort)
HEIST_STD_PARALLEL(stable_partition)
HEIST_STD_PARALLEL(stable_sort)
HEIST_STD_PARALLEL(swap_ranges)
HEIST_STD_PARALLEL(transform_exclusive_scan)
HEIST_STD_PARALLEL(transform_inclusive_scan)
HEIST_STD_PARALLEL(uninitialized_copy)
HEIST_STD_PARALLEL(uninitialized_copy_n)
HEIST_STD_PARALLEL(uninitialized_default_construct)
HEIST_STD_PARALLEL(uninitialized_default_construct_n)
HEIST_STD_PARALLEL(uninitialized_fill)
HEIST_STD_PARALLEL(uninitialized_fill_n)
HEIST_STD_PARALLEL(uninitialized_move)
HEIST_STD_PARALLEL(uninitialized_move_n)
HEIST_STD_PARALLEL(uninitialized_value_construct)
HEIST_STD_PARALLEL(uninitialized_value_construct_n)
HEIST_STD_PARALLEL(unique)
HEIST_STD_PARALLEL(unique_copy)

HEIST_STD_FED(all_of)
HEIST_STD_FED(any_of)
HEIST_STD_FED(copy_if)
HEIST_STD_FED(count)
HEIST_STD_FED(count_if)
HEIST_STD_FED(find)
HEIST_STD_FED(find_if)
HEIST_STD_FED(max_element)
HEIST_STD_FED(min_element)
HEIST_STD_FED(minmax_element)
HEIST_STD_FED(none_of)

#undef HEIST_STD_PARALLEL
#undef HEIST_STD_FED

// Those whose shape differs: with a policy, for_each returns nothing.
template <class I, class F>
void for_each(const parallel_policy&, I first, I last, F f) {
  if constexpr (detail::feedable<I> || detail::reachable<I>)
    heist::for_each(first, last, std::move(f));
  else
    std::for_each(first, last, std::move(f));
}

// Those of one range or of two: of one, heist feeds it.
template <class I, class Third, class... Rest>
auto transform(const parallel_policy&, I first, I last, Third third, Rest&&... rest) {
  constexpr bool one_range = sizeof...(Rest) == 1;
  if constexpr ((one_range && detail::feedable<I>) ||
                (detail::reachable<I> && detail::reachable<Third> && (detail::reachable<Rest> && ...)))
    return heist::transform(std::move(first), std::move(last), std::move(third), std::forward<Rest>(rest)...);
  else
    return std::transform(std::move(first), std::move(last), std::move(third), std::forward<Rest>(rest)...);
}
template <class I, class... Rest>
auto reduce(const parallel_policy&, I first, I last, Rest&&... rest) {
  if constexpr (detail::feedable<I> || detail::reachable<I>)
    return heist::reduce(std::move(first), std::move(last), std::forward<Rest>(rest)...);
  else
    return std::reduce(std::move(first), std::move(last), std::forward<Rest>(rest)...);
}
template <class I, class Third, class... Rest>
auto transform_reduce(const parallel_policy&, I first, I last, Third third, Rest&&... rest) {
  constexpr bool one_range = sizeof...(Rest) == 2 && !std::input_or_output_iterator<Third>;
  if constexpr ((one_range && detail::feedable<I>) || (detail::reachable<I> && detail::reachable<Third>))
    return heist::transform_reduce(std::move(first), std::move(last), std::move(third), std::forward<Rest>(rest)...);
  else
    return std::transform_reduce(std::move(first), std::move(last), std::move(third), std::forward<Rest>(rest)...);
}

// With one end or both ends of the second range.
template <class I1, class I2, class... Rest>
auto mismatch(const parallel_policy&, I1 first1, I1 last1, I2 first2, const Rest&... rest) {
  if constexpr (!detail::reachable<I1> || !detail::reachable<I2>)
    return std::mismatch(first1, last1, first2, rest...);
  else if constexpr ((std::is_same_v<Rest, I2> || ...))
    return heist::mismatch(first1, last1, first2, rest...);
  else
    return heist::mismatch(first1, last1, first2, first2 + static_cast<std::iter_difference_t<I2>>(last1 - first1),
                           rest...);
}
template <class I1, class I2, class... Rest>
bool equal(const parallel_policy&, I1 first1, I1 last1, I2 first2, const Rest&... rest) {
  if constexpr (!detail::reachable<I1> || !detail::reachable<I2>)
    return std::equal(first1, last1, first2, rest...);
  else if constexpr ((std::is_same_v<Rest, I2> || ...))
    return heist::equal(first1, last1, first2, rest...);
  else
    return heist::equal(first1, last1, first2, first2 + static_cast<std::iter_difference_t<I2>>(last1 - first1),
                        rest...);
}

}  // namespace heist::std_

HEIST_END
