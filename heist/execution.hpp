#pragma once
// heist::par as an execution policy: the standard's parallel algorithms, in the standard's call shape, on heist.
//   heist::std_::sort(heist::par, v.begin(), v.end());
// Those of heist's algorithms that have the standard's name run in parallel; with iterators without random access, and for
// names that heist does not have, the standard's serial algorithm runs. Exceptions leave the call, as from heist's
// algorithms, where std::execution::par ends the program.

#include <heist/base/export.hpp>
#include <heist/fill.hpp>
#include <heist/filter.hpp>
#include <heist/find.hpp>
#include <heist/for_each.hpp>
#include <heist/merge.hpp>
#include <heist/par.hpp>
#include <heist/partition.hpp>
#include <heist/reduce.hpp>
#include <heist/scan.hpp>
#include <heist/sort.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

template <class T>
inline constexpr bool reachable = !std::input_or_output_iterator<std::decay_t<T>> || std::random_access_iterator<std::decay_t<T>>;

}  // namespace heist::detail

namespace heist::std_ {

// The same arguments, without the policy.
#define HEIST_STD_PARALLEL(name)                          \
  template <class... Args>                                \
  auto name(const parallel_policy&, Args&&... args) {     \
    if constexpr ((detail::reachable<Args> && ...))       \
      return heist::name(std::forward<Args>(args)...);    \
    else                                                  \
      return std::name(std::forward<Args>(args)...);      \
  }
#define HEIST_STD_SERIAL(name)                            \
  template <class... Args>                                \
  auto name(const parallel_policy&, Args&&... args) {     \
    return std::name(std::forward<Args>(args)...);        \
  }

HEIST_STD_PARALLEL(all_of)
HEIST_STD_PARALLEL(any_of)
HEIST_STD_PARALLEL(none_of)
HEIST_STD_PARALLEL(for_each_n)
HEIST_STD_PARALLEL(find)
HEIST_STD_PARALLEL(find_if)
HEIST_STD_PARALLEL(count)
HEIST_STD_PARALLEL(count_if)
HEIST_STD_PARALLEL(copy)
HEIST_STD_PARALLEL(copy_if)
HEIST_STD_PARALLEL(transform)
HEIST_STD_PARALLEL(fill)
HEIST_STD_PARALLEL(generate)
HEIST_STD_PARALLEL(remove_if)
HEIST_STD_PARALLEL(unique)
HEIST_STD_PARALLEL(reverse)
HEIST_STD_PARALLEL(partition)
HEIST_STD_PARALLEL(stable_partition)
HEIST_STD_PARALLEL(sort)
HEIST_STD_PARALLEL(stable_sort)
HEIST_STD_PARALLEL(nth_element)
HEIST_STD_PARALLEL(is_sorted)
HEIST_STD_PARALLEL(is_sorted_until)
HEIST_STD_PARALLEL(merge)
HEIST_STD_PARALLEL(min_element)
HEIST_STD_PARALLEL(max_element)
HEIST_STD_PARALLEL(minmax_element)
HEIST_STD_PARALLEL(reduce)
HEIST_STD_PARALLEL(transform_reduce)
HEIST_STD_PARALLEL(inclusive_scan)
HEIST_STD_PARALLEL(exclusive_scan)
HEIST_STD_PARALLEL(transform_inclusive_scan)
HEIST_STD_PARALLEL(transform_exclusive_scan)

HEIST_STD_SERIAL(adjacent_difference)
HEIST_STD_SERIAL(adjacent_find)
HEIST_STD_SERIAL(destroy)
HEIST_STD_SERIAL(destroy_n)
HEIST_STD_SERIAL(find_end)
HEIST_STD_SERIAL(find_first_of)
HEIST_STD_SERIAL(includes)
HEIST_STD_SERIAL(inplace_merge)
HEIST_STD_SERIAL(is_heap)
HEIST_STD_SERIAL(is_heap_until)
HEIST_STD_SERIAL(is_partitioned)
HEIST_STD_SERIAL(lexicographical_compare)
HEIST_STD_SERIAL(move)
HEIST_STD_SERIAL(partial_sort)
HEIST_STD_SERIAL(partial_sort_copy)
HEIST_STD_SERIAL(partition_copy)
HEIST_STD_SERIAL(remove_copy)
HEIST_STD_SERIAL(remove_copy_if)
HEIST_STD_SERIAL(replace_copy)
HEIST_STD_SERIAL(replace_copy_if)
HEIST_STD_SERIAL(reverse_copy)
HEIST_STD_SERIAL(rotate)
HEIST_STD_SERIAL(rotate_copy)
HEIST_STD_SERIAL(search)
HEIST_STD_SERIAL(search_n)
HEIST_STD_SERIAL(set_difference)
HEIST_STD_SERIAL(set_intersection)
HEIST_STD_SERIAL(set_symmetric_difference)
HEIST_STD_SERIAL(set_union)
HEIST_STD_SERIAL(shift_left)
HEIST_STD_SERIAL(shift_right)
HEIST_STD_SERIAL(swap_ranges)
HEIST_STD_SERIAL(uninitialized_copy)
HEIST_STD_SERIAL(uninitialized_copy_n)
HEIST_STD_SERIAL(uninitialized_default_construct)
HEIST_STD_SERIAL(uninitialized_default_construct_n)
HEIST_STD_SERIAL(uninitialized_fill)
HEIST_STD_SERIAL(uninitialized_fill_n)
HEIST_STD_SERIAL(uninitialized_move)
HEIST_STD_SERIAL(uninitialized_move_n)
HEIST_STD_SERIAL(uninitialized_value_construct)
HEIST_STD_SERIAL(uninitialized_value_construct_n)
HEIST_STD_SERIAL(unique_copy)

#undef HEIST_STD_PARALLEL
#undef HEIST_STD_SERIAL

// Those whose shape differs: with a policy, for_each returns nothing.
template <class I, class F>
void for_each(const parallel_policy&, I first, I last, F f) {
  if constexpr (detail::reachable<I>)
    heist::for_each(first, last, std::move(f));
  else
    std::for_each(first, last, std::move(f));
}
template <class I, class Pred>
I find_if_not(const parallel_policy& policy, I first, I last, Pred pred) {
  return std_::find_if(policy, first, last, [&pred](auto&& x) -> bool { return !std::invoke(pred, x); });
}
template <class I, class T>
I remove(const parallel_policy& policy, I first, I last, const T& value) {
  return std_::remove_if(policy, first, last, [&value](const auto& x) -> bool { return x == value; });
}
template <class I, class Pred, class T>
void replace_if(const parallel_policy& policy, I first, I last, Pred pred, const T& by) {
  std_::for_each(policy, first, last, [&](auto& x) {
    if (std::invoke(pred, x)) x = by;
  });
}
template <class I, class T>
void replace(const parallel_policy& policy, I first, I last, const T& value, const T& by) {
  std_::replace_if(policy, first, last, [&value](const auto& x) -> bool { return x == value; }, by);
}
template <class I, class Size, class Out>
Out copy_n(const parallel_policy& policy, I first, Size n, Out out) {
  if constexpr (detail::reachable<I>)
    return n > 0 ? std_::copy(policy, first, first + static_cast<std::iter_difference_t<I>>(n), out) : out;
  else
    return std::copy_n(first, n, out);
}
template <class I, class Size, class T>
I fill_n(const parallel_policy& policy, I first, Size n, const T& value) {
  if constexpr (detail::reachable<I>) {
    const I last = n > 0 ? first + static_cast<std::iter_difference_t<I>>(n) : first;
    std_::fill(policy, first, last, value);
    return last;
  } else {
    return std::fill_n(first, n, value);
  }
}
template <class I, class Size, class F>
I generate_n(const parallel_policy& policy, I first, Size n, F make) {
  if constexpr (detail::reachable<I>) {
    const I last = n > 0 ? first + static_cast<std::iter_difference_t<I>>(n) : first;
    std_::generate(policy, first, last, std::move(make));
    return last;
  } else {
    return std::generate_n(first, n, std::move(make));
  }
}

// With one end or both ends of the second range.
template <class I1, class I2, class... Rest>
auto mismatch(const parallel_policy&, I1 first1, I1 last1, I2 first2, const Rest&... rest) {
  if constexpr (!detail::reachable<I1> || !detail::reachable<I2>)
    return std::mismatch(first1, last1, first2, rest...);
  else if constexpr ((std::is_same_v<Rest, I2> || ...))
    return heist::mismatch(first1, last1, first2, rest...);
  else
    return heist::mismatch(first1, last1, first2, first2 + static_cast<std::iter_difference_t<I2>>(last1 - first1), rest...);
}
template <class I1, class I2, class... Rest>
bool equal(const parallel_policy&, I1 first1, I1 last1, I2 first2, const Rest&... rest) {
  if constexpr (!detail::reachable<I1> || !detail::reachable<I2>)
    return std::equal(first1, last1, first2, rest...);
  else if constexpr ((std::is_same_v<Rest, I2> || ...))
    return heist::equal(first1, last1, first2, rest...);
  else
    return heist::equal(first1, last1, first2, first2 + static_cast<std::iter_difference_t<I2>>(last1 - first1), rest...);
}

}  // namespace heist::std_

HEIST_END
