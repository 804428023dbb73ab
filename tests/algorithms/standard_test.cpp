// The rest of the standard's algorithms, held against the serial standard library: sizes at which something changes, in
// every pool, on numbers with many equals.
#include "tests/algorithms/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using numbers = std::vector<int>;

struct inputs {
  numbers v, w, sorted_v, sorted_w;

  explicit inputs(std::size_t n) : v(n), w(n / 2 + 1) {
    std::mt19937 dice(static_cast<unsigned>(n));
    const auto kinds = static_cast<unsigned>(n / 4 + 3);
    for (int& x : v) x = static_cast<int>(dice() % kinds);
    for (int& x : w) x = static_cast<int>(dice() % kinds);
    sorted_v = v, sorted_w = w;
    std::sort(sorted_v.begin(), sorted_v.end());
    std::sort(sorted_w.begin(), sorted_w.end());
  }
};

// Calls f with inputs of many sizes, in every pool.
template <class F>
void with_inputs(F&& f, std::size_t most = 40000) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{70}, std::size_t{1025}, std::size_t{5000}, most}) {
    const inputs in(n);
    SCOPED_TRACE(testing::Message() << n << " elements");
    heist_test::in_every_pool([&](heist::pool&) { f(in); });
  }
}

bool third(int i) { return i % 3 == 0; }

TEST(a_search, finds_what_the_standards_finds) {
  with_inputs([](const inputs& in) {
    const numbers& v = in.v;
    const auto at = [&](auto place) { return place - v.begin(); };
    const numbers part(v.begin() + std::ssize(v) / 2, v.begin() + std::min(std::ssize(v), std::ssize(v) / 2 + 3));
    EXPECT_EQ(heist::adjacent_find(v), std::adjacent_find(v.begin(), v.end()));
    EXPECT_EQ(heist::adjacent_find(in.sorted_v, std::greater<>()), in.sorted_v.end());
    EXPECT_EQ(at(heist::search(v, part).begin()), at(std::search(v.begin(), v.end(), part.begin(), part.end())));
    EXPECT_EQ(at(heist::find_end(v, part).begin()), at(std::find_end(v.begin(), v.end(), part.begin(), part.end())));
    EXPECT_EQ(heist::find_first_of(v, part), std::find_first_of(v.begin(), v.end(), part.begin(), part.end()));
    for (const int count : {-1, 0, 1, 2, 3}) EXPECT_EQ(at(heist::search_n(v, count, 1).begin()), at(std::search_n(v.begin(), v.end(), count, 1)));
    EXPECT_EQ(heist::find_if_not(v, third), std::find_if_not(v.begin(), v.end(), third));
    const auto last = std::find(v.rbegin(), v.rend(), 1).base();
    EXPECT_EQ(heist::find_last(v, 1).begin(), last == v.begin() ? v.end() : last - 1);
    const auto last_third = std::find_if(v.rbegin(), v.rend(), third).base();
    EXPECT_EQ(heist::find_last_if(v, third).begin(), last_third == v.begin() ? v.end() : last_third - 1);
    const auto last_other = std::find_if_not(v.rbegin(), v.rend(), third).base();
    EXPECT_EQ(heist::find_last_if_not(v, third).begin(), last_other == v.begin() ? v.end() : last_other - 1);
    EXPECT_EQ(heist::contains(v, 1), std::find(v.begin(), v.end(), 1) != v.end());
    EXPECT_EQ(heist::contains_subrange(v, part), true);
    EXPECT_EQ(heist::starts_with(v, part), part.size() <= v.size() && std::equal(part.begin(), part.end(), v.begin()));
    EXPECT_EQ(heist::ends_with(v, numbers(v.begin() + std::ssize(v) / 2, v.end())), true);
    EXPECT_EQ(heist::ends_with(part, v), part == v);
  });
}

TEST(an_order, is_what_the_standards_is) {
  with_inputs([](const inputs& in) {
    const numbers &v = in.v, &w = in.w;
    EXPECT_EQ(heist::lexicographical_compare(v, w), std::lexicographical_compare(v.begin(), v.end(), w.begin(), w.end()));
    EXPECT_FALSE(heist::lexicographical_compare(v, v));
    EXPECT_EQ(heist::is_heap_until(v), std::is_heap_until(v.begin(), v.end()));
    numbers heap = v;
    std::make_heap(heap.begin(), heap.end());
    EXPECT_TRUE(heist::is_heap(heap));
    EXPECT_EQ(heist::is_partitioned(v, third), std::is_partitioned(v.begin(), v.end(), third));
    std::partition(heap.begin(), heap.end(), third);
    EXPECT_TRUE(heist::is_partitioned(heap, third));
    if (v.empty()) {
      EXPECT_THROW(static_cast<void>(heist::min(v)), std::invalid_argument);
    } else {
      EXPECT_EQ(heist::min(v), in.sorted_v.front());
      EXPECT_EQ(heist::max(v, {}, std::negate<>()), in.sorted_v.front());
      EXPECT_EQ(heist::minmax(v).max, in.sorted_v.back());
    }
  });
}

TEST(sets, are_the_standards) {
  with_inputs([](const inputs& in) {
    const numbers none;
    for (const numbers* a : {&in.sorted_v, &in.sorted_w, &none})
      for (const numbers* b : {&in.sorted_w, &in.sorted_v, &none}) {
        numbers ours(a->size() + b->size()), theirs(ours);
        const auto check = [&](const char* what, auto got, auto expected) {
          EXPECT_EQ(got.out - ours.begin(), expected.out - theirs.begin()) << what;
          EXPECT_EQ(ours, theirs) << what;
        };
        check("union", heist::set_union(*a, *b, ours.begin()), std::ranges::set_union(*a, *b, theirs.begin()));
        check("intersection", heist::set_intersection(*a, *b, ours.begin()), std::ranges::set_intersection(*a, *b, theirs.begin()));
        check("difference", heist::set_difference(*a, *b, ours.begin()), std::ranges::set_difference(*a, *b, theirs.begin()));
        check("symmetric difference", heist::set_symmetric_difference(*a, *b, ours.begin()),
              std::ranges::set_symmetric_difference(*a, *b, theirs.begin()));
        EXPECT_EQ(heist::includes(*a, *b), std::ranges::includes(*a, *b));
      }
    numbers some;
    for (std::size_t i = 0; i < in.sorted_v.size(); i += 3) some.push_back(in.sorted_v[i]);
    EXPECT_TRUE(heist::includes(in.sorted_v, some));
  });
}

// Which of equal elements are taken, and how many: with long runs of them, cut in many places.
TEST(sets, take_the_standards_elements_of_long_runs) {
  using item = std::pair<int, int>;
  std::mt19937 dice(3);
  const auto make = [&](std::size_t n, int from) {
    std::vector<item> all(n);
    for (item& i : all) i = {static_cast<int>(dice() % 4), from++};
    std::stable_sort(all.begin(), all.end(), [](const item& x, const item& y) { return x.first < y.first; });
    return all;
  };
  const std::vector<item> a = make(3000, 0), b = make(2000, 10000);
  heist_test::in_every_pool([&](heist::pool&) {
    std::vector<item> ours(5000), theirs(5000);
    const auto by = &item::first;
    heist::set_union(a, b, ours.begin(), {}, by, by, heist::grain{7});
    std::ranges::set_union(a, b, theirs.begin(), {}, by, by);
    EXPECT_EQ(ours, theirs);
    heist::set_symmetric_difference(b, a, ours.begin(), {}, by, by, heist::grain{5});
    std::ranges::set_symmetric_difference(b, a, theirs.begin(), {}, by, by);
    EXPECT_EQ(ours, theirs);
  });
}

TEST(a_rearrangement, is_the_standards) {
  with_inputs([](const inputs& in) {
    const std::ptrdiff_t n = std::ssize(in.v), m = n / 3;
    numbers a = in.v, b = in.v, ours(in.v.size()), theirs(in.v.size());
    EXPECT_EQ(heist::rotate(a, a.begin() + m).begin() - a.begin(), std::ranges::rotate(b, b.begin() + m).begin() - b.begin());
    EXPECT_EQ(a, b);
    heist::rotate_copy(a, a.begin() + m, ours.begin());
    std::rotate_copy(b.begin(), b.begin() + m, b.end(), theirs.begin());
    EXPECT_EQ(ours, theirs);
    heist::reverse_copy(a, ours.begin());
    std::reverse_copy(b.begin(), b.end(), theirs.begin());
    EXPECT_EQ(ours, theirs);
    for (const std::ptrdiff_t k : {std::ptrdiff_t{0}, std::ptrdiff_t{1}, n / 2, n, n + 5}) {
      a = in.v, b = in.v;
      EXPECT_TRUE(std::equal(a.begin(), heist::shift_left(a.begin(), a.end(), k), b.begin(), std::shift_left(b.begin(), b.end(), k)));
      a = in.v, b = in.v;
      EXPECT_TRUE(std::equal(heist::shift_right(a.begin(), a.end(), k), a.end(), std::shift_right(b.begin(), b.end(), k), b.end()));
    }
    a = in.v;
    heist::swap_ranges(a, ours);
    EXPECT_EQ(ours, in.v);
    EXPECT_EQ(a, theirs);
    heist::move(ours, a.begin());
    EXPECT_EQ(a, in.v);
    EXPECT_EQ(heist::copy_n(in.w.begin(), m, a.begin()), a.begin() + m);
    EXPECT_EQ(heist::fill_n(a.begin(), m, 7), a.begin() + m);
    EXPECT_EQ(heist::generate_n(a.begin(), m, [](std::size_t i) { return static_cast<int>(i); }), a.begin() + m);
    for (std::ptrdiff_t i = 0; i < m; ++i) ASSERT_EQ(a[static_cast<std::size_t>(i)], i);
    a = in.v, b = in.v;
    heist::replace(a, 1, 7), std::replace(b.begin(), b.end(), 1, 7);
    heist::replace_if(a, third, 4), std::replace_if(b.begin(), b.end(), third, 4);
    EXPECT_EQ(a, b);
    heist::replace_copy(a, ours.begin(), 4, 5), std::replace_copy(b.begin(), b.end(), theirs.begin(), 4, 5);
    EXPECT_EQ(ours, theirs);
    heist::replace_copy_if(a, ours.begin(), third, 9), std::replace_copy_if(b.begin(), b.end(), theirs.begin(), third, 9);
    EXPECT_EQ(ours, theirs);
    heist::adjacent_difference(in.v, ours.begin());
    std::adjacent_difference(in.v.begin(), in.v.end(), theirs.begin());
    EXPECT_EQ(ours, theirs);
    heist::adjacent_difference(a = in.v, a.begin());
    EXPECT_EQ(a, theirs);
  });
}

TEST(a_filter, writes_what_the_standards_writes) {
  with_inputs([](const inputs& in) {
    numbers ours(in.v.size()), theirs(in.v.size()), no(in.v.size()), their_no(in.v.size());
    EXPECT_EQ(heist::unique_copy(in.sorted_v, ours.begin()).out - ours.begin(),
              std::unique_copy(in.sorted_v.begin(), in.sorted_v.end(), theirs.begin()) - theirs.begin());
    EXPECT_EQ(ours, theirs);
    heist::remove_copy(in.v, ours.begin(), 1), std::remove_copy(in.v.begin(), in.v.end(), theirs.begin(), 1);
    EXPECT_EQ(ours, theirs);
    heist::remove_copy_if(in.v, ours.begin(), third), std::remove_copy_if(in.v.begin(), in.v.end(), theirs.begin(), third);
    EXPECT_EQ(ours, theirs);
    const auto got = heist::partition_copy(in.v, ours.begin(), no.begin(), third);
    const auto expected = std::partition_copy(in.v.begin(), in.v.end(), theirs.begin(), their_no.begin(), third);
    EXPECT_EQ(got.out1 - ours.begin(), expected.first - theirs.begin());
    EXPECT_EQ(ours, theirs);
    EXPECT_EQ(no, their_no);
    numbers a = in.v, b = in.v;
    const auto rest = heist::remove(a, 1);
    a.erase(rest.begin(), rest.end());
    b.erase(std::remove(b.begin(), b.end(), 1), b.end());
    EXPECT_EQ(a, b);
  });
}

TEST(a_part_of_the_order, is_the_standards) {
  with_inputs([](const inputs& in) {
    const std::ptrdiff_t n = std::ssize(in.v), m = n / 3;
    numbers a = in.v;
    heist::partial_sort(a, a.begin() + m);
    EXPECT_TRUE(std::equal(a.begin(), a.begin() + m, in.sorted_v.begin()));
    EXPECT_TRUE(std::is_permutation(a.begin() + m, a.end(), in.sorted_v.begin() + m) || n > 5000);
    for (const std::ptrdiff_t size : {std::ptrdiff_t{0}, std::min<std::ptrdiff_t>(n, 7), m, n, n + 3}) {
      numbers out(static_cast<std::size_t>(size), -1);
      const auto end = heist::partial_sort_copy(in.v, out).out;
      EXPECT_EQ(end - out.begin(), std::min(size, n));
      EXPECT_TRUE(std::equal(out.begin(), end, in.sorted_v.begin()));
    }
    a = in.v;
    std::sort(a.begin(), a.begin() + m), std::sort(a.begin() + m, a.end());
    heist::inplace_merge(a, a.begin() + m);
    EXPECT_EQ(a, in.sorted_v);
  });
}

TEST(raw_memory, is_filled_and_emptied) {
  heist_test::in_every_pool([](heist::pool&) {
    constexpr std::size_t n = 3000;
    std::allocator<std::string> room;
    std::string *const a = room.allocate(n), *const b = room.allocate(n);
    const std::string text = "a text that is too long for a string without the heap";
    heist::uninitialized_fill(a, a + n, text);
    EXPECT_EQ(heist::uninitialized_copy(a, a + n, b), b + n);
    EXPECT_EQ(std::count(b, b + n, text), 3000);
    EXPECT_EQ(heist::destroy_n(b, n), b + n);
    EXPECT_EQ(heist::uninitialized_move_n(a, n, b), std::pair(a + n, b + n));
    EXPECT_EQ(std::count(b, b + n, text), 3000);
    heist::destroy(a, a + n);
    heist::uninitialized_value_construct(a, a + n);
    EXPECT_EQ(std::count(a, a + n, ""), 3000);
    heist::destroy(std::ranges::subrange(a, a + n));
    heist::destroy(b, b + n);
    room.deallocate(a, n), room.deallocate(b, n);
  });
}

}  // namespace
