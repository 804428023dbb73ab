// What heist's algorithms return: the types and values that the standard's return for the same arguments, call by call.
// Iterators are held against namespace std, ranges against std::ranges; a range that is gone gives std::ranges::dangling.
#include "tests/algorithms/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

// What the calls work on. The ranges stay, or they are gone when the call returns.
struct kept {
  std::vector<int> some{5, 3, 3, 8, 1, 9, 2, 2, 7}, low{1, 2, 2, 6}, high{2, 3, 7, 8, 9}, out = std::vector<int>(16);

  std::vector<int>& v() { return some; }
  std::vector<int>& a() { return low; }
  std::vector<int>& b() { return high; }
  bool operator==(const kept&) const = default;
};
struct gone {
  std::vector<int> out;

  std::vector<int> v() { return {}; }
  std::vector<int> a() { return {}; }
  std::vector<int> b() { return {}; }
};

struct odd {
  bool operator()(int i) const { return i % 2 != 0; }
};
struct twice {
  int operator()(int i) const { return 2 * i; }
};
struct raise {
  void operator()(int& i) const { ++i; }
};
struct seven {
  int operator()() const { return 7; }
};

using places = std::vector<std::ptrdiff_t>;

template <class X>
places look(kept& k, const X& x) {
  if constexpr (std::integral<X>) {
    return {static_cast<std::ptrdiff_t>(x)};
  } else if constexpr (std::contiguous_iterator<X>) {
    const std::less_equal<const int*> up_to;
    std::ptrdiff_t number = 0;
    for (auto* all : {&k.some, &k.low, &k.high, &k.out}) {
      const int *const begin = all->data(), *const place = std::to_address(x);
      if (up_to(begin, place) && up_to(place, begin + all->size())) return {number, place - begin};
      ++number;
    }
    return {-1};
  } else if constexpr (std::is_empty_v<X>) {
    return {};  // a function
  } else if constexpr (std::ranges::range<X>) {
    return look(k, std::pair(x.begin(), x.end()));
  } else {
    // A pair, or one of the results of std::ranges: two or three parts.
    places all;
    auto add = [&](const auto& part) { for (const std::ptrdiff_t i : look(k, part)) all.push_back(i); };
    if constexpr (requires { x.in1, x.in2, x.out; }) {
      add(x.in1), add(x.in2), add(x.out);
    } else if constexpr (requires { x.in, x.out1, x.out2; }) {
      add(x.in), add(x.out1), add(x.out2);
    } else {
      const auto& [first, second] = x;
      add(first), add(second);
    }
    return all;
  }
}

template <class K, class H, class S>
inline constexpr bool same_type = std::same_as<std::invoke_result_t<H&, K&>, std::invoke_result_t<S&, K&>>;

template <class H, class S>
void compare(const char* what, H heists, S standards) {
  SCOPED_TRACE(what);
  using result = std::invoke_result_t<S&, kept&>;
  static_assert(same_type<kept, H, S>);
  heist_test::in_every_pool([&](heist::pool&) {
    kept ours, theirs;
    if constexpr (std::is_void_v<result>) {
      heists(ours);
      standards(theirs);
    } else {
      // Not with auto: then a result that is a reference to something would go unnoticed.
      const result got = heists(ours), expected = standards(theirs);
      EXPECT_EQ(look(ours, got), look(theirs, expected));
    }
    EXPECT_EQ(ours.out, theirs.out);
    EXPECT_EQ(std::accumulate(ours.some.begin(), ours.some.end(), 0), std::accumulate(theirs.some.begin(), theirs.some.end(), 0));
  });
}

template <class H, class S>
void compare_both(const char* what, H heists, S standards) {
  static_assert(same_type<gone, H, S>);
  compare(what, heists, standards);
}

#define ALIKE_BY(compare, library, ...)                                        \
  compare(#library "::" #__VA_ARGS__,                                          \
          [](auto& k) -> decltype(auto) { return heist::__VA_ARGS__; },        \
          [](auto& k) -> decltype(auto) { return library::__VA_ARGS__; })
#define ALIKE(library, ...) ALIKE_BY(compare_both, library, __VA_ARGS__)
#define ALL k.v().begin(), k.v().end()

TEST(a_loop, returns_what_the_standards_does) {
  ALIKE(std::ranges, for_each(k.v(), raise()));
  ALIKE(std::ranges, for_each(k.v(), raise(), std::identity()));
  ALIKE(std, for_each(ALL, raise()));
  ALIKE(std, for_each_n(k.v().begin(), 4, raise()));
  ALIKE(std::ranges, transform(k.v(), k.out.begin(), twice()));
  ALIKE(std::ranges, transform(k.v(), k.out.begin(), twice(), twice()));
  ALIKE(std::ranges, transform(k.a(), k.b(), k.out.begin(), std::plus<>()));
  ALIKE(std::ranges, transform(k.b(), k.a(), k.out.begin(), std::plus<>()));
  ALIKE(std, transform(ALL, k.out.begin(), twice()));
  ALIKE(std, transform(k.a().begin(), k.a().end(), k.b().begin(), k.out.begin(), std::plus<>()));
}

TEST(a_fill_or_a_copy, returns_what_the_standards_does) {
  ALIKE(std::ranges, fill(k.v(), 4));
  ALIKE(std, fill(ALL, 4));
  ALIKE(std::ranges, generate(k.v(), seven()));
  ALIKE(std, generate(ALL, seven()));
  ALIKE(std::ranges, copy(k.v(), k.out.begin()));
  ALIKE(std, copy(ALL, k.out.begin()));
  ALIKE(std::ranges, reverse(k.v()));
  ALIKE(std, reverse(ALL));
}

TEST(a_filter, returns_what_the_standards_does) {
  ALIKE(std::ranges, copy_if(k.v(), k.out.begin(), odd()));
  ALIKE(std::ranges, copy_if(k.v(), k.out.begin(), odd(), std::identity()));
  ALIKE(std, copy_if(ALL, k.out.begin(), odd()));
  ALIKE(std, remove_if(ALL, odd()));
  ALIKE(std, unique(ALL));
  ALIKE(std, unique(ALL, std::equal_to<>()));
  ALIKE(std, partition(ALL, odd()));
  ALIKE(std, stable_partition(ALL, odd()));
}

// What they leave behind need not be what the standard's leave there.
TEST(a_filter, of_a_range_in_place_returns_the_rest) {
  ALIKE(std::ranges, remove_if(k.v(), odd()));
  ALIKE(std::ranges, remove_if(k.v(), odd(), std::identity()));
  ALIKE(std::ranges, unique(k.v()));
  ALIKE(std::ranges, unique(k.v(), {}, twice()));
  ALIKE(std::ranges, partition(k.v(), odd()));
  ALIKE(std::ranges, partition(k.v(), odd(), std::identity()));
  ALIKE(std::ranges, stable_partition(k.v(), odd()));
}

TEST(a_sort, returns_what_the_standards_does) {
  ALIKE(std::ranges, sort(k.v()));
  ALIKE(std::ranges, sort(k.v(), std::greater<>()));
  ALIKE(std::ranges, sort(k.v(), {}, twice()));
  ALIKE(std, sort(ALL));
  ALIKE(std, sort(ALL, std::greater<>()));
  ALIKE(std::ranges, stable_sort(k.v()));
  ALIKE(std::ranges, stable_sort(k.v(), {}, twice()));
  ALIKE(std, stable_sort(ALL));
  ALIKE(std::ranges, nth_element(k.v(), k.v().begin() + 3));
  ALIKE(std::ranges, nth_element(k.v(), k.v().begin() + 3, {}, twice()));
  ALIKE(std, nth_element(k.v().begin(), k.v().begin() + 3, k.v().end()));
  ALIKE(std::ranges, is_sorted(k.v()));
  ALIKE(std, is_sorted(ALL));
  ALIKE(std::ranges, is_sorted_until(k.a()));
  ALIKE(std, is_sorted_until(k.a().begin(), k.a().end(), std::less<>()));
}

TEST(a_merge, returns_what_the_standards_does) {
  ALIKE(std::ranges, merge(k.a(), k.b(), k.out.begin()));
  ALIKE(std::ranges, merge(k.a(), k.b(), k.out.begin(), {}, twice(), twice()));
  ALIKE(std, merge(k.a().begin(), k.a().end(), k.b().begin(), k.b().end(), k.out.begin()));
}

TEST(a_search, returns_what_the_standards_does) {
  ALIKE(std::ranges, find(k.v(), 8));
  ALIKE(std, find(ALL, 8));
  ALIKE(std::ranges, find_if(k.v(), odd(), twice()));
  ALIKE(std, find_if(ALL, odd()));
  ALIKE(std::ranges, any_of(k.v(), odd()));
  ALIKE(std::ranges, all_of(k.v(), odd()));
  ALIKE(std::ranges, none_of(k.v(), odd()));
  ALIKE(std, any_of(ALL, odd()));
  ALIKE(std, all_of(ALL, odd()));
  ALIKE(std, none_of(ALL, odd()));
  // libstdc++ 12 has iterators where the standard has std::ranges::dangling.
  ALIKE_BY(compare, std::ranges, mismatch(k.a(), k.b()));
  static_assert(std::same_as<decltype(heist::mismatch(gone().a(), gone().b())),
                             std::ranges::mismatch_result<std::ranges::dangling, std::ranges::dangling>>);
  ALIKE(std, mismatch(k.a().begin(), k.a().end(), k.b().begin(), k.b().end()));
  ALIKE(std::ranges, equal(k.a(), k.b()));
  ALIKE(std, equal(k.a().begin(), k.a().end(), k.b().begin(), k.b().end()));
  ALIKE(std::ranges, count(k.v(), 2));
  ALIKE(std, count(ALL, 2));
  ALIKE(std::ranges, count_if(k.v(), odd()));
  ALIKE(std, count_if(ALL, odd()));
  ALIKE(std::ranges, min_element(k.v()));
  ALIKE(std, min_element(ALL));
  ALIKE(std::ranges, max_element(k.v()));
  ALIKE(std, max_element(ALL, std::less<>()));
  ALIKE(std::ranges, minmax_element(k.v()));
  ALIKE(std, minmax_element(ALL));
}

#define BOTH k.a().begin(), k.a().end(), k.b().begin(), k.b().end()

TEST(another_search, returns_what_the_standards_does) {
  ALIKE(std::ranges, find_if_not(k.v(), odd()));
  ALIKE(std, find_if_not(ALL, odd()));
  ALIKE(std::ranges, adjacent_find(k.v()));
  ALIKE(std::ranges, adjacent_find(k.v(), {}, twice()));
  ALIKE(std, adjacent_find(ALL));
  ALIKE(std::ranges, find_first_of(k.v(), k.a(), {}, twice(), twice()));
  ALIKE(std, find_first_of(BOTH));
  ALIKE(std::ranges, search(k.v(), k.a()));
  ALIKE(std::ranges, search(k.a(), k.b(), std::not_equal_to<>(), twice()));
  ALIKE(std, search(BOTH));
  ALIKE(std::ranges, find_end(k.v(), k.a()));
  ALIKE(std, find_end(BOTH));
  ALIKE(std::ranges, search_n(k.v(), 2, 3));
  ALIKE(std::ranges, search_n(k.v(), 2, 6, {}, twice()));
  ALIKE(std, search_n(ALL, 2, 3));
  ALIKE(std::ranges, is_partitioned(k.v(), odd()));
  ALIKE(std, is_partitioned(ALL, odd()));
  ALIKE(std::ranges, is_heap(k.v()));
  ALIKE(std::ranges, is_heap_until(k.v()));
  ALIKE(std, is_heap_until(ALL, std::less<>()));
  ALIKE(std::ranges, lexicographical_compare(k.a(), k.b(), {}, twice()));
  ALIKE(std, lexicographical_compare(BOTH));
  ALIKE(std::ranges, includes(k.a(), k.b()));
  ALIKE(std, includes(BOTH));
  ALIKE_BY(compare, std::ranges, min(k.v()));
  ALIKE_BY(compare, std::ranges, max(k.v(), {}, twice()));
  ALIKE_BY(compare, std::ranges, minmax(k.v(), std::greater<>()));
}

TEST(a_set, is_returned_as_the_standards_is) {
  ALIKE(std::ranges, set_union(k.a(), k.b(), k.out.begin()));
  ALIKE(std::ranges, set_union(k.a(), k.b(), k.out.begin(), {}, twice(), twice()));
  ALIKE(std, set_union(BOTH, k.out.begin()));
  ALIKE(std::ranges, set_intersection(k.a(), k.b(), k.out.begin()));
  ALIKE(std, set_intersection(BOTH, k.out.begin(), std::less<>()));
  ALIKE(std::ranges, set_difference(k.a(), k.b(), k.out.begin()));
  ALIKE(std, set_difference(BOTH, k.out.begin()));
  ALIKE(std::ranges, set_symmetric_difference(k.a(), k.b(), k.out.begin()));
  ALIKE(std, set_symmetric_difference(BOTH, k.out.begin()));
}

TEST(a_rearrangement, returns_what_the_standards_does) {
  ALIKE(std, copy_n(k.v().begin(), 4, k.out.begin()));
  ALIKE(std, fill_n(k.v().begin(), 4, 3));
  ALIKE(std, generate_n(k.v().begin(), 4, seven()));
  ALIKE(std::ranges, move(k.v(), k.out.begin()));
  ALIKE(std, move(ALL, k.out.begin()));
  ALIKE(std::ranges, swap_ranges(k.a(), k.b()));
  ALIKE(std, swap_ranges(k.a().begin(), k.a().end(), k.b().begin()));
  ALIKE(std::ranges, reverse_copy(k.v(), k.out.begin()));
  ALIKE(std, reverse_copy(ALL, k.out.begin()));
  ALIKE_BY(compare, std::ranges, rotate(k.v(), k.v().begin() + 2));
  ALIKE_BY(compare, std, rotate(k.v().begin(), k.v().begin() + 2, k.v().end()));
  ALIKE_BY(compare, std::ranges, rotate_copy(k.v(), k.v().begin() + 2, k.out.begin()));
  ALIKE_BY(compare, std, rotate_copy(k.v().begin(), k.v().begin() + 2, k.v().end(), k.out.begin()));
  ALIKE_BY(compare, std, shift_left(k.a().begin(), k.a().end(), 0));
  ALIKE_BY(compare, std, shift_right(k.a().begin(), k.a().end(), 9));
  ALIKE(std::ranges, replace(k.v(), 3, 4));
  ALIKE(std::ranges, replace(k.v(), 6, 4, twice()));
  ALIKE(std, replace(ALL, 3, 4));
  ALIKE(std::ranges, replace_if(k.v(), odd(), 4));
  ALIKE(std, replace_if(ALL, odd(), 4));
  ALIKE(std::ranges, replace_copy(k.v(), k.out.begin(), 3, 4));
  ALIKE(std, replace_copy(ALL, k.out.begin(), 3, 4));
  ALIKE(std::ranges, replace_copy_if(k.v(), k.out.begin(), odd(), 4, std::identity()));
  ALIKE(std, replace_copy_if(ALL, k.out.begin(), odd(), 4));
}

TEST(another_filter, returns_what_the_standards_does) {
  ALIKE(std, remove(ALL, 2));
  ALIKE(std::ranges, remove(k.v(), 2));
  ALIKE(std::ranges, remove(k.v(), 4, twice()));
  ALIKE(std::ranges, remove_copy(k.v(), k.out.begin(), 2));
  ALIKE(std, remove_copy(ALL, k.out.begin(), 2));
  ALIKE(std::ranges, remove_copy_if(k.v(), k.out.begin(), odd(), twice()));
  ALIKE(std, remove_copy_if(ALL, k.out.begin(), odd()));
  ALIKE(std::ranges, unique_copy(k.v(), k.out.begin(), {}, twice()));
  ALIKE(std, unique_copy(ALL, k.out.begin()));
  ALIKE(std::ranges, partition_copy(k.v(), k.out.begin(), k.out.begin() + 8, odd()));
  ALIKE(std, partition_copy(ALL, k.out.begin(), k.out.begin() + 8, odd()));
}

TEST(a_part_of_the_order, returns_what_the_standards_does) {
  ALIKE_BY(compare, std::ranges, partial_sort(k.v(), k.v().begin() + 3));
  ALIKE_BY(compare, std::ranges, partial_sort(k.v(), k.v().begin() + 3, {}, twice()));
  ALIKE_BY(compare, std, partial_sort(k.v().begin(), k.v().begin() + 3, k.v().end()));
  ALIKE(std::ranges, partial_sort_copy(k.v(), k.a()));
  ALIKE(std::ranges, partial_sort_copy(k.v(), k.a(), {}, twice(), twice()));
  ALIKE(std, partial_sort_copy(BOTH));
  ALIKE_BY(compare, std::ranges, inplace_merge(k.a(), k.a().begin() + 2));
  ALIKE_BY(compare, std, inplace_merge(k.a().begin(), k.a().begin() + 2, k.a().end()));
  ALIKE(std, adjacent_difference(ALL, k.out.begin()));
  ALIKE(std, adjacent_difference(ALL, k.out.begin(), std::plus<>()));
}

// Numbers need no making, so the same memory may be made twice.
TEST(raw_memory, returns_what_the_standards_does) {
  ALIKE(std::ranges, uninitialized_fill(k.v(), 3));
  ALIKE(std, uninitialized_fill(ALL, 3));
  ALIKE(std, uninitialized_fill_n(k.v().begin(), 3, 3));
  ALIKE_BY(compare, std::ranges, uninitialized_copy(k.v(), k.out));
  ALIKE(std, uninitialized_copy(ALL, k.out.begin()));
  ALIKE(std, uninitialized_copy_n(k.v().begin(), 3, k.out.begin()));
  ALIKE_BY(compare, std::ranges, uninitialized_move(k.v(), k.out));
  ALIKE(std, uninitialized_move(ALL, k.out.begin()));
  ALIKE(std, uninitialized_move_n(k.v().begin(), 3, k.out.begin()));
  ALIKE(std::ranges, uninitialized_value_construct(k.v()));
  ALIKE(std, uninitialized_value_construct_n(k.v().begin(), 3));
  ALIKE(std::ranges, uninitialized_default_construct(k.v()));
  ALIKE(std, uninitialized_default_construct_n(k.v().begin(), 3));
  ALIKE(std::ranges, destroy(k.v()));
  ALIKE(std, destroy_n(k.v().begin(), 3));
}

// The standard of C++20 has no ranges for these: heist's forms for a range return what those for iterators do.
TEST(a_fold_or_a_scan, returns_what_the_standards_does) {
  ALIKE(std, reduce(ALL));
  ALIKE(std, reduce(ALL, 1L));
  ALIKE(std, reduce(ALL, 1, std::multiplies<>()));
  ALIKE(std, transform_reduce(ALL, 1, std::plus<>(), twice()));
  ALIKE(std, transform_reduce(k.a().begin(), k.a().end(), k.b().begin(), 1));
  ALIKE(std, inclusive_scan(ALL, k.out.begin()));
  ALIKE(std, inclusive_scan(ALL, k.out.begin(), std::plus<>(), 3));
  ALIKE(std, exclusive_scan(ALL, k.out.begin(), 3));
  ALIKE(std, transform_inclusive_scan(ALL, k.out.begin(), std::plus<>(), twice()));
  ALIKE(std, transform_exclusive_scan(ALL, k.out.begin(), 3, std::plus<>(), twice()));
  kept k;
  static_assert(std::same_as<decltype(heist::inclusive_scan(k.v(), k.out.begin())), std::vector<int>::iterator>);
  EXPECT_EQ(heist::inclusive_scan(k.v(), k.out.begin()) - k.out.begin(), std::ssize(k.v()));
}

// Where the end is no iterator: what is returned is one all the same.
TEST(a_range_with_a_sentinel, is_returned_to_its_end) {
  std::vector<int> v{3, 1, 2};
  auto counted = std::ranges::subrange(std::counted_iterator(v.begin(), 3), std::default_sentinel);
  EXPECT_EQ(heist::sort(counted), std::ranges::sort(counted));
  EXPECT_EQ(heist::remove_if(counted, odd()).begin().base(), v.begin() + 1);
  static_assert(std::same_as<decltype(heist::sort(counted)), decltype(std::ranges::sort(counted))>);
  static_assert(std::same_as<decltype(heist::remove_if(counted, odd())), decltype(std::ranges::remove_if(counted, odd()))>);
}

}  // namespace
