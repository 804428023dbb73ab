// What a call may look like: `{}` for whatever has a default, arrays, ends of different types; and what comes back.
#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

struct person {
  std::string name;
  int age;
  bool operator==(const person&) const = default;
  auto operator<=>(const person&) const = default;
};

const std::vector<person> people{{"Kurt", 71}, {"Ada", 36}, {"Ada", 36}, {"Emmy", 53}, {"Alan", 41}};
const std::vector<person> namesakes{{"Kurt", 1}, {"Ada", 2}, {"Ada", 3}, {"Emmy", 4}, {"Alma", 5}};

bool short_name(const std::string& s) { return s.size() < 4; }
bool young(const person& p) { return p.age < 40; }

std::vector<person> sorted() {
  std::vector<person> v = people;
  std::ranges::sort(v);
  return v;
}

// What heist and the standard make of a copy each must be the same.
template <class F, class G>
bool alike(F heists, G standards) {
  std::vector<person> v = people, w = people;
  if constexpr (std::is_void_v<std::invoke_result_t<F&, std::vector<person>&>>) {
    heists(v);
    standards(w);
  } else {
    if (heists(v) - v.begin() != standards(w) - w.begin()) return false;
  }
  return v == w;
}

struct call {
  const char* what;
  bool (*works)();
};

using people_t = std::vector<person>;

// Each with braces wherever something may be left to its default; the range's form and, on every second line, the iterators'.
const call calls[] = {
    {"sort", [] { return alike([](people_t& v) { heist::sort(v, {}, &person::name); },
                               [](people_t& v) { std::ranges::sort(v, {}, &person::name); }); }},
    {"sort", [] { return alike([](people_t& v) { heist::sort(v.begin(), v.end(), {}, {}); },
                               [](people_t& v) { std::ranges::sort(v, {}, {}); }); }},
    {"sort, one brace", [] { return alike([](people_t& v) { heist::sort(v, {}); }, [](people_t& v) { std::ranges::sort(v, {}); }); }},
    {"sort, options", [] { return alike([](people_t& v) { heist::sort(v, {}, {}, heist::grain{1}); }, [](people_t& v) { std::ranges::sort(v); }); }},
    {"sort, option after one", [] { return alike([](people_t& v) { heist::sort(v, {}, heist::grain{1}); }, [](people_t& v) { std::ranges::sort(v); }); }},
    {"stable_sort", [] { return alike([](people_t& v) { heist::stable_sort(v, {}, &person::age); },
                                      [](people_t& v) { std::ranges::stable_sort(v, {}, &person::age); }); }},
    {"stable_sort", [] { return alike([](people_t& v) { heist::stable_sort(v.begin(), v.end(), std::greater<>(), {}); },
                                      [](people_t& v) { std::ranges::stable_sort(v, std::greater<>(), {}); }); }},
    {"nth_element", [] { people_t v = people; heist::nth_element(v, v.begin() + 2, {}, &person::age); return v[2].age == 41; }},
    {"nth_element", [] { people_t v = people; heist::nth_element(v.begin(), v.begin() + 4, v.end(), {}, {}); return v[4].name == "Kurt"; }},
    {"is_sorted", [] { return heist::is_sorted(sorted(), {}, &person::name) && !heist::is_sorted(people, {}); }},
    {"is_sorted", [] { return !heist::is_sorted(people.begin(), people.end(), {}, &person::age); }},
    {"is_sorted_until", [] { return heist::is_sorted_until(people, {}, &person::age) == people.begin() + 1; }},
    {"is_sorted_until", [] { return heist::is_sorted_until(people.begin(), people.end(), {}, {}) == people.begin() + 1; }},
    {"merge", [] { const auto v = sorted(); people_t out(10), expected(10); heist::merge(v, v, out.begin(), {}, &person::name, &person::name);
                   std::ranges::merge(v, v, expected.begin(), {}, &person::name, &person::name); return out == expected; }},
    {"merge", [] { const auto v = sorted(); people_t out(10); heist::merge(v.begin(), v.end(), v.begin(), v.end(), out.begin(), {}, {}, {});
                   return heist::is_sorted(out); }},
    {"merge, one projection", [] { const auto v = sorted(); people_t out(10); heist::merge(v, v, out.begin(), {}, {}); return heist::is_sorted(out, {}); }},
    {"min_element", [] { return heist::min_element(people, {}, &person::age) == people.begin() + 1; }},
    {"min_element", [] { return heist::min_element(people.begin(), people.end(), {}, {}) == people.begin() + 1; }},
    {"max_element", [] { return heist::max_element(people, {}, &person::name) == people.begin(); }},
    {"max_element", [] { return heist::max_element(people.begin(), people.end(), {}) == people.begin(); }},
    {"minmax_element", [] { return heist::minmax_element(people, {}, &person::age).max == people.begin(); }},
    {"minmax_element", [] { return heist::minmax_element(people.begin(), people.end(), {}, {}).first == people.begin() + 1; }},
    {"unique", [] { return alike([](people_t& v) { return heist::unique(v, {}, &person::name).begin(); },
                                 [](people_t& v) { return std::ranges::unique(v, {}, &person::name).begin(); }); }},
    {"unique", [] { people_t v = people; return heist::unique(v.begin(), v.end(), {}, {}) == v.end() - 1; }},
    {"equal", [] { return heist::equal(people, people, {}, &person::age, &person::age) && heist::equal(people, people, {}); }},
    {"equal", [] { return heist::equal(people.begin(), people.end(), people.begin(), people.end(), {}, {}, {}); }},
    {"equal, one projection", [] { const std::vector<int> ages{71, 36, 36, 53, 41}; return heist::equal(people, ages, {}, &person::age); }},
    {"mismatch", [] { return heist::mismatch(people, namesakes, {}, &person::name, &person::name).in2 == namesakes.begin() + 4; }},
    {"mismatch", [] { return heist::mismatch(people.begin(), people.end(), namesakes.begin(), namesakes.end(), {}, {}, {}).first == people.begin(); }},
    {"mismatch, one projection", [] { const std::vector<int> ages{71, 36, 0}; return heist::mismatch(people, ages, {}, &person::age).in1 == people.begin() + 2; }},
    {"for_each", [] { std::atomic<int> n{0}; heist::for_each(people, [&](const person&) { ++n; }, {}); return n == 5; }},
    {"for_each", [] { std::atomic<int> n{0}; heist::for_each(people.begin(), people.end(), [&](const person&) { ++n; }, {}); return n == 5; }},
    {"for_each_n", [] { std::atomic<int> n{0}; heist::for_each_n(people.begin(), 3, [&](const person&) { ++n; }, {}); return n == 3; }},
    {"transform", [] { std::vector<char> out(5); heist::transform(people, out.begin(), young, {}); return out[1] && !out[0]; }},
    {"transform", [] { std::vector<char> out(5); heist::transform(people.begin(), people.end(), out.begin(), young, {}); return out[2] && !out[3]; }},
    {"find_if", [] { return heist::find_if(people, young, {}) == people.begin() + 1; }},
    {"find_if", [] { return heist::find_if(people.begin(), people.end(), young, {}, heist::grain{1}) == people.begin() + 1; }},
    {"find", [] { return heist::find(people, people[3], {}) == people.begin() + 3; }},
    {"find", [] { return heist::find(people.begin(), people.end(), people[3], {}) == people.begin() + 3; }},
    {"any_of, all_of, none_of", [] { return heist::any_of(people, young, {}) && !heist::all_of(people, young, {}) && !heist::none_of(people, young, {}); }},
    {"any_of, all_of, none_of", [] { const auto b = people.begin(), e = people.end();
                                     return heist::any_of(b, e, young, {}) && !heist::all_of(b, e, young, {}) && !heist::none_of(b, e, young, {}); }},
    {"count, count_if", [] { return heist::count(people, people[1], {}) == 2 && heist::count_if(people, young, {}) == 2; }},
    {"count, count_if", [] { const auto b = people.begin(), e = people.end(); return heist::count(b, e, people[1], {}) == 2 && heist::count_if(b, e, young, {}) == 2; }},
    {"copy_if", [] { people_t out(5); return heist::copy_if(people, out.begin(), young, {}).out == out.begin() + 2; }},
    {"copy_if", [] { people_t out(5); return heist::copy_if(people.begin(), people.end(), out.begin(), short_name, &person::name) == out.begin() + 2; }},
    {"remove_if", [] { people_t v = people; return heist::remove_if(v, young, {}).begin() == v.begin() + 3; }},
    {"remove_if", [] { people_t v = people; return heist::remove_if(v.begin(), v.end(), young, {}) == v.begin() + 3; }},
    {"partition", [] { people_t v = people; return heist::partition(v, young, {}).begin() == v.begin() + 2; }},
    {"partition", [] { people_t v = people; return heist::partition(v.begin(), v.end(), young, {}) == v.begin() + 2; }},
    {"stable_partition", [] { people_t v = people; return heist::stable_partition(v, young, {}).begin() == v.begin() + 2; }},
    {"stable_partition", [] { people_t v = people; return heist::stable_partition(v.begin(), v.end(), young, {}) == v.begin() + 2; }},
    {"histogram", [] { const std::vector<int> v{1, 2, 2}; return heist::histogram(v, 3, {})[2] == 2; }},
    {"histogram", [] { const std::vector<int> v{1, 2, 2}; return heist::histogram(v.begin(), v.end(), 3, {})[2] == 2; }},
    {"reduce", [] { const std::vector<int> v{1, 2, 3}; return heist::reduce(v, 1, {}) == 7 && heist::reduce(v.begin(), v.end(), 1, {}) == 7; }},
    {"transform_reduce", [] { const std::vector<int> v{1, 2, 3}; return heist::transform_reduce(v.begin(), v.end(), v.begin(), 1, {}, {}) == 15; }},
    {"inclusive_scan", [] { const std::vector<int> v{1, 2, 3}; std::vector<int> out(3); heist::inclusive_scan(v, out.begin(), {}); return out[2] == 6; }},
    {"inclusive_scan", [] { const std::vector<int> v{1, 2, 3}; std::vector<int> out(3); heist::inclusive_scan(v.begin(), v.end(), out.begin(), {}, 1); return out[2] == 7; }},
    {"exclusive_scan", [] { const std::vector<int> v{1, 2, 3}; std::vector<int> out(3); heist::exclusive_scan(v, out.begin(), 1, {}); return out[2] == 4; }},
    {"exclusive_scan", [] { const std::vector<int> v{1, 2, 3}; std::vector<int> out(3); heist::exclusive_scan(v.begin(), v.end(), out.begin(), 1, {}); return out[2] == 4; }},
};

TEST(braces, stand_for_every_comparison_predicate_and_projection_that_has_a_default) {
  for (const call& c : calls) EXPECT_TRUE(c.works()) << c.what;
}

TEST(an_array, may_be_passed_whole_or_by_its_ends) {
  int a[10], b[20];
  std::iota(a, a + 10, 0);
  auto odd = [](int i) { return i % 2 != 0; };
  auto negative = [](int i) { return -i; };
  EXPECT_EQ(heist::reduce(a, a + 10), 45);
  EXPECT_EQ(heist::reduce(a), 45);
  EXPECT_EQ(heist::reduce(a, a + 10, 1), 46);
  EXPECT_EQ(heist::reduce(a, a + 10, 1, std::plus<>()), 46);
  EXPECT_EQ(heist::find(a, a + 10, 3), a + 3);
  EXPECT_EQ(heist::find(a, 3), a + 3);
  EXPECT_EQ(heist::count(a, a + 10, 3), 1);
  EXPECT_EQ(heist::find_if(a, a + 10, odd), a + 1);
  EXPECT_EQ(heist::min_element(a, a + 10, {}, negative), a + 9);
  EXPECT_EQ(heist::copy_if(a, a + 10, b, odd), b + 5);
  EXPECT_EQ(heist::copy_if(a, b, odd, negative).out, b + 5);
  EXPECT_EQ(heist::copy_if(a, a + 10, b, odd, negative), b + 5);
  EXPECT_EQ(heist::transform(a, a + 10, b, negative), b + 10);
  EXPECT_EQ(heist::transform(a, b, negative).out, b + 10);
  EXPECT_EQ(heist::transform(a, a + 10, a, b, std::plus<>()), b + 10);
  EXPECT_EQ(heist::exclusive_scan(a, a + 10, b, 0), b + 10);
  EXPECT_EQ(heist::exclusive_scan(a, b, 0), b + 10);
  EXPECT_EQ(heist::inclusive_scan(a, a + 10, b), b + 10);
  EXPECT_EQ(heist::merge(a, a + 10, a, a + 10, b), b + 20);
  EXPECT_EQ(heist::transform_reduce(a, a + 10, a, 0), 285);
  int* const end = a + 10;
  heist::sort(a, end, std::greater<>());
  EXPECT_EQ(a[0], 9);
  heist::for_each(a, end, [](int& i) { --i; });
  EXPECT_EQ(a[0], 8);
}

// As the standard's: pairs for iterators, named results for ranges.
TEST(two_places, come_back_as_from_the_standards_algorithms) {
  std::vector<int> v{3, 1, 2};
  static_assert(std::is_same_v<decltype(heist::minmax_element(v.begin(), v.end())), decltype(std::minmax_element(v.begin(), v.end()))>);
  static_assert(std::is_same_v<decltype(heist::minmax_element(v)), decltype(std::ranges::minmax_element(v))>);
  static_assert(std::is_same_v<decltype(heist::mismatch(v.begin(), v.end(), v.begin(), v.end())),
                               decltype(std::mismatch(v.begin(), v.end(), v.begin(), v.end()))>);
  static_assert(std::is_same_v<decltype(heist::mismatch(v, v)), decltype(std::ranges::mismatch(v, v))>);
  EXPECT_EQ(heist::minmax_element(v.begin(), v.end()), std::minmax_element(v.begin(), v.end()));
}

// The values in [first, last) that are seen, by their sum and number, and the type that counts.
template <class Index, class I, class L>
void counts(I first, L last, std::uint64_t number) {
  std::atomic<std::uint64_t> seen{0}, sum{0};
  heist::for_each_index(first, last, [&](auto i) {
    static_assert(std::is_same_v<decltype(i), Index>);
    ++seen;
    sum += static_cast<std::uint64_t>(i);
  });
  EXPECT_EQ(seen, number);
  std::uint64_t expected = 0;
  for (std::uint64_t k = 0; k < number; ++k) expected += static_cast<std::uint64_t>(first) + k;
  EXPECT_EQ(sum, expected);
}

TEST(for_each_index, counts_right_between_ends_of_different_types) {
  constexpr auto top = std::numeric_limits<std::int64_t>::max();
  counts<int>(-3, 4, 7);
  counts<unsigned>(3u, 4, 1);
  counts<unsigned>(3u, -4, 0);
  counts<long>(-3, 4u, 7);
  counts<long>(2'147'483'640, 2'147'483'657u, 17);
  counts<long>(-3, 4ul, 7);
  counts<long>(short{-3}, 4u, 7);
  counts<int>(short{-3}, static_cast<unsigned short>(40'000), 40'003);
  counts<long>(3u, -1L, 0);
  counts<unsigned long>(0ul, -1L, 0);
  counts<unsigned long>(0ul, -1, 0);
  counts<unsigned long>(5ul, 8, 3);
  counts<long>(-3L, 4ul, 7);
  counts<long>(top - 4, static_cast<std::uint64_t>(top), 4);
  counts<int>(static_cast<signed char>(-3), static_cast<unsigned char>(200), 203);
  counts<char>('a', 'f', 5);
  counts<short>(short{-5}, short{5}, 10);
  counts<std::int64_t>(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::min() + 3, 3);
  counts<int>(0, std::atomic<int>(3).load(), 3);
  int times = 0;
  heist::for_each_index(0, std::integral_constant<int, 1>(), [&](int) { ++times; });
  EXPECT_EQ(times, 1);
  // All of what 3,000,000,000u says, without calling so often.
  std::stop_source s;
  std::atomic<long> most{0};
  EXPECT_THROW(heist::for_each_index(0, 3'000'000'000u, [&](long i) { most = i; s.request_stop(); }, s.get_token()), heist::cancelled);
  EXPECT_GE(most.load(), 0);
  // The end of a range that is not there: v.size() - 1.
  EXPECT_THROW(heist::for_each_index(0, std::numeric_limits<std::size_t>::max(), [](long) {}), std::out_of_range);
  EXPECT_THROW(heist::for_each_index(0L, std::numeric_limits<std::uint64_t>::max(), [](long) {}), std::out_of_range);
}

// 512 KiB each: a handful on a stack of 8 MiB.
struct block {
  std::array<long, 65536> words;
  friend block operator+(const block& a, const block& b) {
    block sum;
    std::transform(a.words.begin(), a.words.end(), b.words.begin(), sum.words.begin(), std::plus<>());
    return sum;
  }
};

TEST(folds_and_scans, of_values_larger_than_a_guard_stay_on_the_stack_they_have) {
  constexpr std::size_t n = 40;
  auto numbered = [](long i) {
    auto b = std::make_unique<block>();
    b->words.fill(i);
    return b;
  };
  std::vector<block> v;
  v.reserve(n);
  for (std::size_t i = 0; i < n; ++i) v.push_back(*numbered(static_cast<long>(i)));
  for (const unsigned workers : {1u, 4u}) {
    heist::pool p(heist::options{.workers = workers});
    p.run([&] {
      const auto sum = std::make_unique<block>(heist::reduce(v));
      EXPECT_EQ(sum->words.front(), 780);
      EXPECT_EQ(sum->words.back(), 780);
      const auto doubled = std::make_unique<block>(
          heist::transform_reduce(v, *numbered(7), std::plus<>(), [](const block& b) { return b + b; }, heist::grain{3}));
      EXPECT_EQ(doubled->words.back(), 1567);
      std::vector<block> out(n);
      heist::inclusive_scan(v, out.begin());
      EXPECT_EQ(out.back().words.back(), 780);
      EXPECT_EQ(out[10].words[1], 55);
      heist::exclusive_scan(v, out.begin(), *numbered(1), std::plus<>(), heist::grain{1});
      EXPECT_EQ(out.back().words.back(), 742);
      EXPECT_EQ(out[0].words[1], 1);
    });
  }
}

}  // namespace
