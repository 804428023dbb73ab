// heist::par as a policy: every name that the standard has with a policy. Each call gives what the standard's serial
// call gives, and another worker takes a part of it. tests/algorithms/names.py looks for missing rows.

#include "tests/support.hpp"

#include <heist/execution.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <iterator>
#include <list>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using numbers = std::vector<int>;
constexpr std::size_t n = 1'000'000;

// An object that is noticed when it begins and when it ends.
std::atomic<long> begun, ended;
struct noticed {
  noticed() { begun.fetch_add(1, std::memory_order_relaxed); }
  ~noticed() { ended.fetch_add(1, std::memory_order_relaxed); }
};
struct raw_memory {
  std::allocator<noticed> from;
  noticed* memory = from.allocate(n);
  raw_memory() = default;
  raw_memory(const raw_memory&) : raw_memory() {}
  raw_memory& operator=(const raw_memory&) = delete;
  ~raw_memory() { from.deallocate(memory, n); }
  noticed* begin() const { return memory; }
  noticed* end() const { return memory + n; }
};

struct data {
  numbers up, twice, mixed, out, few{-3, -2, -1};  // 0, 1, 2, …; each number twice; no order
  raw_memory raw;

  data() : up(n), twice(n), mixed(n), out(2 * n, -7) {
    for (std::size_t i = 0; i < n; ++i) {
      up[i] = static_cast<int>(i);
      twice[i] = static_cast<int>(i / 2 * 2);
      mixed[i] = static_cast<int>(i * 7919 % 1009);
    }
  }
};

// What a call gave, as numbers, and the ranges that it may have changed.
struct outcome {
  std::vector<long> gave;
  numbers mixed, up, out;
};

template <class X>
void note(std::vector<long>& to, const numbers& in, const X& x) {
  if constexpr (std::is_same_v<X, numbers::iterator>)
    to.push_back(x - numbers::const_iterator(in.begin()));
  else if constexpr (std::is_same_v<X, noticed*>)
    to.push_back(0);
  else if constexpr (requires { x.first; })
    note(to, in, x.first), note(to, in, x.second);
  else
    to.push_back(static_cast<long>(x));
}

template <class Call>
void note_call(std::vector<long>& to, const numbers& in, const Call& call) {
  if constexpr (std::is_void_v<decltype(call())>)
    call();
  else
    note(to, in, call());
}

// What of the changed ranges the standard leaves open.
enum class open : unsigned char { nothing, order, from_result, before_result };

struct row {
  const char* name;
  open left_open;
  outcome (*call)(data, bool parallel);
};

// The call with the policy or without it; d is the data. The result points into `range`.
#define ROW(name, left_open, range, ...)                                                                                \
  row {                                                                                                                 \
#name, left_open, [](data d, bool parallel) {                                                                         \
      const auto call = [parallel](auto&&... x) -> decltype(heist::std_::name(heist::par, std::forward<decltype(x)>(x)...)) { \
        using result = decltype(heist::std_::name(heist::par, std::forward<decltype(x)>(x)...));                          \
        if (parallel) return heist::std_::name(heist::par, std::forward<decltype(x)>(x)...);                              \
        return static_cast<result>(std::name(std::forward<decltype(x)>(x)...));                                           \
      };                                                                                                                  \
      outcome o;                                                                                                          \
      const long before = begun - 3 * ended;                                                                              \
      note_call(o.gave, d.range, [&] { return call(__VA_ARGS__); });                                                      \
      o.gave.push_back(begun - 3 * ended - before);                                                                       \
      o.mixed = std::move(d.mixed), o.up = std::move(d.up), o.out = std::move(d.out);                                     \
      return o;                                                                                                           \
    } \
  }
#define ALL(v) d.v.begin(), d.v.end()
#define AT(v, k) d.v.begin() + static_cast<long>(k)
bool never(int x) { return x < 0; }
bool odd(int x) { return x % 2 != 0; }
bool small(int x) { return x < static_cast<int>(n / 2); }
int twice(int x) { return 2 * x; }

const row rows[] = {
    ROW(adjacent_difference, open::nothing, out, ALL(mixed), d.out.begin()),
    ROW(adjacent_find, open::nothing, up, ALL(up)),
    ROW(all_of, open::nothing, up, ALL(mixed), [](int x) { return x >= 0; }),
    ROW(any_of, open::nothing, up, ALL(mixed), never),
    ROW(copy, open::nothing, out, ALL(mixed), d.out.begin()),
    ROW(copy_if, open::nothing, out, ALL(mixed), d.out.begin(), odd),
    ROW(copy_n, open::nothing, out, d.mixed.begin(), n, d.out.begin()),
    ROW(count, open::nothing, up, ALL(mixed), 7),
    ROW(count_if, open::nothing, up, ALL(mixed), odd),
    ROW(equal, open::nothing, up, ALL(up), d.up.begin()),
    ROW(exclusive_scan, open::nothing, out, ALL(mixed), d.out.begin(), 5),
    ROW(fill, open::nothing, out, ALL(out), 9),
    ROW(fill_n, open::nothing, out, d.out.begin(), n, 9),
    ROW(find, open::nothing, mixed, ALL(mixed), -1),
    ROW(find_end, open::nothing, mixed, ALL(mixed), ALL(few)),
    ROW(find_first_of, open::nothing, mixed, ALL(mixed), ALL(few)),
    ROW(find_if, open::nothing, mixed, ALL(mixed), never),
    ROW(find_if_not, open::nothing, mixed, ALL(mixed), [](int x) { return x >= 0; }),
    ROW(for_each, open::nothing, up, ALL(mixed), [](int& x) { x += 3; }),
    ROW(for_each_n, open::nothing, mixed, d.mixed.begin(), n, [](int& x) { x += 3; }),
    ROW(generate, open::nothing, out, ALL(out), [] { return 4; }),
    ROW(generate_n, open::nothing, out, d.out.begin(), n, [] { return 4; }),
    ROW(includes, open::nothing, up, ALL(up), ALL(up)),
    ROW(inclusive_scan, open::nothing, out, ALL(mixed), d.out.begin()),
    ROW(inplace_merge, open::nothing, up, (std::rotate(d.up.begin(), AT(up, n / 2), d.up.end()), d.up.begin()),
        AT(up, n / 2), d.up.end()),
    ROW(is_heap, open::nothing, up, ALL(up), std::greater<>()),
    ROW(is_heap_until, open::nothing, up, ALL(up), std::greater<>()),
    ROW(is_partitioned, open::nothing, up, ALL(up), small),
    ROW(is_sorted, open::nothing, up, ALL(up)),
    ROW(is_sorted_until, open::nothing, up, ALL(up)),
    ROW(lexicographical_compare, open::nothing, up, ALL(up), ALL(up)),
    ROW(max_element, open::nothing, mixed, ALL(mixed)),
    ROW(merge, open::nothing, out, ALL(up), ALL(twice), d.out.begin()),
    ROW(min_element, open::nothing, mixed, ALL(mixed)),
    ROW(minmax_element, open::nothing, mixed, ALL(mixed)),
    ROW(mismatch, open::nothing, up, ALL(up), d.up.begin()),
    ROW(move, open::nothing, out, ALL(mixed), d.out.begin()),
    ROW(none_of, open::nothing, up, ALL(mixed), never),
    ROW(nth_element, open::order, mixed, d.mixed.begin(), AT(mixed, n / 3), d.mixed.end()),
    ROW(partial_sort, open::order, mixed, d.mixed.begin(), AT(mixed, n / 3), d.mixed.end()),
    ROW(partial_sort_copy, open::nothing, out, ALL(mixed), d.out.begin(), AT(out, n / 3)),
    ROW(partition, open::order, mixed, ALL(mixed), odd),
    ROW(partition_copy, open::nothing, out, ALL(mixed), d.out.begin(), AT(out, n), odd),
    ROW(reduce, open::nothing, up, ALL(mixed)),
    ROW(remove, open::from_result, mixed, ALL(mixed), 7),
    ROW(remove_copy, open::nothing, out, ALL(mixed), d.out.begin(), 7),
    ROW(remove_copy_if, open::nothing, out, ALL(mixed), d.out.begin(), odd),
    ROW(remove_if, open::from_result, mixed, ALL(mixed), odd),
    ROW(replace, open::nothing, up, ALL(mixed), 7, 8),
    ROW(replace_copy, open::nothing, out, ALL(mixed), d.out.begin(), 7, 8),
    ROW(replace_copy_if, open::nothing, out, ALL(mixed), d.out.begin(), odd, 8),
    ROW(replace_if, open::nothing, up, ALL(mixed), odd, 8),
    ROW(reverse, open::nothing, up, ALL(mixed)),
    ROW(reverse_copy, open::nothing, out, ALL(mixed), d.out.begin()),
    ROW(rotate, open::nothing, mixed, d.mixed.begin(), AT(mixed, n / 3), d.mixed.end()),
    ROW(rotate_copy, open::nothing, out, d.mixed.begin(), AT(mixed, n / 3), d.mixed.end(), d.out.begin()),
    ROW(search, open::nothing, mixed, ALL(mixed), ALL(few)),
    ROW(search_n, open::nothing, mixed, ALL(mixed), 3, -1),
    ROW(set_difference, open::nothing, out, ALL(up), ALL(twice), d.out.begin()),
    ROW(set_intersection, open::nothing, out, ALL(up), ALL(twice), d.out.begin()),
    ROW(set_symmetric_difference, open::nothing, out, ALL(up), ALL(twice), d.out.begin()),
    ROW(set_union, open::nothing, out, ALL(up), ALL(twice), d.out.begin()),
    ROW(shift_left, open::from_result, mixed, ALL(mixed), 77),
    ROW(shift_right, open::before_result, mixed, ALL(mixed), 77),
    ROW(sort, open::nothing, up, ALL(mixed)),
    ROW(stable_partition, open::nothing, mixed, ALL(mixed), odd),
    ROW(stable_sort, open::nothing, up, ALL(mixed)),
    ROW(swap_ranges, open::nothing, up, ALL(mixed), d.up.begin()),
    ROW(transform, open::nothing, out, ALL(mixed), d.out.begin(), twice),
    ROW(transform, open::nothing, out, ALL(mixed), d.up.begin(), d.out.begin(), std::plus<>()),
    ROW(transform_exclusive_scan, open::nothing, out, ALL(mixed), d.out.begin(), 0, std::plus<>(), twice),
    ROW(transform_inclusive_scan, open::nothing, out, ALL(mixed), d.out.begin(), std::plus<>(), twice),
    ROW(transform_reduce, open::nothing, up, ALL(mixed), 0L, std::plus<>(), twice),
    ROW(transform_reduce, open::nothing, up, ALL(mixed), d.twice.begin(), 0L, std::plus<>(), std::minus<>()),
    ROW(unique, open::from_result, twice, ALL(twice)),
    ROW(unique_copy, open::nothing, out, ALL(twice), d.out.begin()),
    ROW(uninitialized_copy, open::nothing, out, ALL(mixed), d.out.begin()),
    ROW(uninitialized_copy_n, open::nothing, out, d.mixed.begin(), n, d.out.begin()),
    ROW(uninitialized_fill, open::nothing, out, ALL(out), 9),
    ROW(uninitialized_fill_n, open::nothing, out, d.out.begin(), n, 9),
    ROW(uninitialized_move, open::nothing, out, ALL(mixed), d.out.begin()),
    ROW(uninitialized_move_n, open::nothing, out, d.mixed.begin(), n, d.out.begin()),
    ROW(uninitialized_default_construct, open::nothing, out, ALL(raw)),
    ROW(uninitialized_default_construct_n, open::nothing, out, d.raw.begin(), n),
    ROW(uninitialized_value_construct, open::nothing, out, ALL(raw)),
    ROW(uninitialized_value_construct_n, open::nothing, out, d.raw.begin(), n),
    ROW(destroy, open::nothing, out, ALL(raw)),
    ROW(destroy_n, open::nothing, out, d.raw.begin(), n),
};

class the_policy : public testing::TestWithParam<row> {};
INSTANTIATE_TEST_SUITE_P(with, the_policy, testing::ValuesIn(rows),
                         [](const auto& each) { return std::to_string(each.index) + "_" + each.param.name; });

TEST_P(the_policy, gives_the_standards_result_and_is_stolen_from) {
  const row& r = GetParam();
  const data d;
  outcome theirs = r.call(d, false), ours;
  heist::pool two({.workers = 2});
  two.run([&] {
    const std::size_t before = two.stats().steals;
    EXPECT_TRUE(heist_test::eventually([&] {
      ours = r.call(d, true);
      return two.stats().steals > before;
    }));
  });
  if (r.left_open == open::order) std::ranges::sort(ours.mixed), std::ranges::sort(theirs.mixed);
  ASSERT_EQ(ours.gave, theirs.gave);
  if (r.left_open == open::from_result)
    for (outcome* const o : {&ours, &theirs}) o->mixed.resize(static_cast<std::size_t>(o->gave[0]));
  if (r.left_open == open::before_result)
    for (outcome* const o : {&ours, &theirs}) o->mixed.erase(o->mixed.begin(), o->mixed.begin() + o->gave[0]);
  EXPECT_EQ(ours.mixed, theirs.mixed);
  EXPECT_EQ(ours.up, theirs.up);
  EXPECT_EQ(ours.out, theirs.out);
}

// What the test above rests on: a serial call is not stolen from.
TEST(a_serial_call, is_not_stolen_from) {
  const data d;
  heist::pool two({.workers = 2});
  two.run([&] {
    const std::size_t before = two.stats().steals;
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(std::is_sorted(d.up.begin(), d.up.end()));
    EXPECT_EQ(two.stats().steals, before);
  });
}

// One strand walks through a list and feeds the other.
TEST(a_list_with_a_policy, is_fed) {
  namespace alg = heist::std_;
  std::list<int> list(n);
  std::iota(list.begin(), list.end(), 0);
  const auto first = list.begin(), last = list.end();
  numbers out;
  long sum = 0;
  heist::pool two({.workers = 2});
  two.run([&] {
    const auto stolen = [&](const char* name, auto&& call) {
      const std::size_t before = two.stats().steals;
      EXPECT_TRUE(heist_test::eventually([&] { return call(), two.stats().steals > before; })) << name;
    };
    stolen("for_each", [&] { alg::for_each(heist::par, first, last, [](int&) {}); });
    stolen("transform", [&] { out.clear(), alg::transform(heist::par, first, last, std::back_inserter(out), twice); });
    EXPECT_TRUE(out.size() == n && std::ranges::is_sorted(out));
    stolen("copy_if", [&] { out.clear(), alg::copy_if(heist::par, first, last, std::back_inserter(out), odd); });
    EXPECT_TRUE(out.size() == n / 2 && std::ranges::all_of(out, odd));
    stolen("reduce", [&] { sum = alg::reduce(heist::par, first, last, 0L); });
    EXPECT_EQ(sum, static_cast<long>(n) * (static_cast<long>(n) - 1) / 2);
    stolen("transform_reduce", [&] { sum = alg::transform_reduce(heist::par, first, last, 0L, std::plus<>(), odd); });
    EXPECT_EQ(sum, static_cast<long>(n) / 2);
    stolen("count_if", [&] { EXPECT_EQ(alg::count_if(heist::par, first, last, odd), static_cast<long>(n) / 2); });
    stolen("count", [&] { EXPECT_EQ(alg::count(heist::par, first, last, 7), 1); });
    stolen("find", [&] { EXPECT_EQ(alg::find(heist::par, first, last, -1), last); });
    stolen("find_if", [&] { EXPECT_EQ(alg::find_if(heist::par, first, last, never), last); });
    stolen("any_of", [&] { EXPECT_FALSE(alg::any_of(heist::par, first, last, never)); });
    stolen("all_of", [&] { EXPECT_FALSE(alg::all_of(heist::par, first, last, small)); });
    stolen("none_of", [&] { EXPECT_TRUE(alg::none_of(heist::par, first, last, never)); });
    stolen("max_element", [&] { EXPECT_EQ(alg::max_element(heist::par, first, last), std::prev(last)); });
    stolen("min_element", [&] { EXPECT_EQ(alg::min_element(heist::par, first, last), first); });
    stolen("minmax_element", [&] { EXPECT_EQ(alg::minmax_element(heist::par, first, last).second, std::prev(last)); });
  });
  // The standard's serial algorithm, with one list or two.
  EXPECT_EQ(alg::transform_reduce(heist::par, list.begin(), std::next(list.begin(), 3), list.begin(), 0), 5);
  EXPECT_TRUE(alg::equal(heist::par, first, last, list.begin()));
  EXPECT_TRUE(alg::includes(heist::par, first, last, first, last));
  EXPECT_EQ(alg::adjacent_find(heist::par, first, last), last);
  alg::transform(heist::par, first, last, list.begin(), list.begin(), std::plus<>());
  EXPECT_EQ(list.back(), 2 * static_cast<int>(n - 1));
}

}  // namespace
