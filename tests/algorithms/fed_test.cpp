// Ranges that cannot be split: lists, maps, filters, streams and generators. One strand feeds, others work; the order is kept,
// few batches exist at a time, and the first exception in the order of the range wins, whoever throws it.
#include "tests/algorithms/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <ranges>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using heist_test::failure;
using heist_test::in_every_pool;

constexpr int some_sizes[] = {0, 1, 2, 100, 5000};

std::list<int> numbers(int n) {
  std::list<int> all;
  for (int i = 0; i < n; ++i) all.push_back(i * 7919 % 1000);
  return all;
}

bool third(int i) { return i % 3 == 0; }

// Owners of the numbers below n. It can be read once; how far is noted.
class once {
 public:
  explicit once(int n, int* made = nullptr) : n_(n), made_(made) {}

  class iterator {
   public:
    using value_type = std::unique_ptr<int>;
    using difference_type = std::ptrdiff_t;

    explicit iterator(once* of) : of_(of) {}
    iterator(iterator&&) = default;
    iterator& operator=(iterator&&) = default;
    std::unique_ptr<int> operator*() const { return std::make_unique<int>(of_->at_); }
    iterator& operator++() {
      ++of_->at_;
      if (of_->made_ != nullptr) *of_->made_ = of_->at_;
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return of_->at_ == of_->n_; }

   private:
    once* of_;
  };
  iterator begin() { return iterator(this); }
  static std::default_sentinel_t end() { return {}; }

 private:
  int n_, at_ = 0;
  int* made_;
};

TEST(a_list, gives_what_the_standard_gives) {
  for (const int n : some_sizes) {
    const std::list<int> list = numbers(n);
    in_every_pool([&](heist::pool&) {
      EXPECT_EQ(heist::reduce(list, 0L), std::accumulate(list.begin(), list.end(), 0L));
      EXPECT_EQ(heist::count(list, 7), std::count(list.begin(), list.end(), 7));
      EXPECT_EQ(heist::count_if(list, third), std::count_if(list.begin(), list.end(), third));
      EXPECT_EQ(heist::find(list, 999), std::find(list.begin(), list.end(), 999));
      EXPECT_EQ(heist::any_of(list, [](int i) { return i == 999; }), std::find(list.begin(), list.end(), 999) != list.end());
      EXPECT_TRUE(heist::all_of(list, [](int i) { return i >= 0; }));
      std::list<int> raised = list;
      const auto done = heist::for_each(raised, [](int& i) { ++i; });
      EXPECT_EQ(done.in, raised.end());
      EXPECT_TRUE(std::equal(raised.begin(), raised.end(), list.begin(), list.end(), [](int a, int b) { return a == b + 1; }));
      std::vector<std::string> texts, expected;
      const auto written = heist::transform(list, std::back_inserter(texts), [](int i) { return std::to_string(i); });
      EXPECT_EQ(written.in, list.end());
      for (const int i : list) expected.push_back(std::to_string(i));
      EXPECT_EQ(texts, expected);
      std::vector<int> kept, thirds;
      heist::copy_if(list, std::back_inserter(kept), third);
      std::copy_if(list.begin(), list.end(), std::back_inserter(thirds), third);
      EXPECT_EQ(kept, thirds);
    });
  }
}

TEST(a_fed_sum, has_the_same_bits_in_every_pool) {
  const std::vector<double> touchy = heist_test::touchy(20000);
  const std::list<double> list(touchy.begin(), touchy.end());
  std::vector<std::uint64_t> sums;
  in_every_pool([&](heist::pool&) { sums.push_back(heist_test::bits(heist::reduce(list, 0.0))); });
  EXPECT_EQ(std::count(sums.begin(), sums.end(), sums[0]), std::ssize(sums));
}

TEST(a_fold, of_a_filter_a_stream_and_a_map_keeps_the_order) {
  in_every_pool([](heist::pool&) {
    auto thirds = std::views::iota(0, 5000) | std::views::filter(third);
    std::string expected;
    for (const int i : thirds) expected += std::to_string(i) + ' ';
    EXPECT_EQ(heist::transform_reduce(thirds, std::string(), std::plus<>(), [](int i) { return std::to_string(i) + ' '; }), expected);
    std::istringstream in(expected);
    EXPECT_EQ(heist::reduce(std::ranges::istream_view<int>(in), 0L), heist::reduce(thirds, 0L));
    std::map<int, std::string> map;
    for (int i = 0; i < 1000; ++i) map[i] = std::to_string(i);
    heist::for_each(map, [](auto& entry) { entry.second += '!'; });
    EXPECT_EQ(map[999], "999!");
    EXPECT_EQ(heist::group_by(map, [](const auto& entry) { return entry.first % 3; }).size(), 3u);
  });
}

TEST(what_can_be_read_once, is_handed_over) {
  for (const int n : some_sizes)
    in_every_pool([n](heist::pool&) {
      const auto all = heist::collect(once(n), [](std::unique_ptr<int> p) { return p; });
      ASSERT_EQ(all.size(), static_cast<std::size_t>(n));
      for (int i = 0; i < n; ++i) ASSERT_EQ(*all[static_cast<std::size_t>(i)], i);
      EXPECT_EQ(heist::transform_reduce(once(n), 0L, std::plus<>(), [](std::unique_ptr<int> p) { return long{*p}; }), long{n} * (n - 1) / 2);
      EXPECT_EQ(heist::to_vector(once(n)).size(), static_cast<std::size_t>(n));
    });
}

TEST(the_first_exception, wins_wherever_it_comes_from) {
  static constexpr int n = 5000;
  in_every_pool([](heist::pool&) {
    for (const int bad : {0, 5, 700, 4999}) {
      // The function throws for all from there on.
      try {
        heist::for_each(std::views::iota(0, n) | std::views::filter([](int) { return true; }), [bad](int i) { if (i >= bad) throw failure(i); });
        ADD_FAILURE();
      } catch (const failure& f) {
        EXPECT_EQ(f.who, bad);
      }
      // The range throws there; the function, if it does, one element before.
      auto range = std::views::iota(0, n) | std::views::transform([bad](int i) { return i == bad ? throw failure(-i) : i; }) |
                   std::views::filter([](int) { return true; });
      for (const bool both : {false, true}) {
        try {
          heist::for_each(range, [bad, both](int i) { if (both && i == bad - 1) throw failure(i); });
          ADD_FAILURE();
        } catch (const failure& f) {
          EXPECT_EQ(f.who, both && bad > 0 ? bad - 1 : -bad);
        }
      }
    }
  });
  EXPECT_EQ(failure::live(), 0);
}

TEST(a_feeder, reads_no_further_than_it_must) {
  in_every_pool([](heist::pool& p) {
    int read = 0;
    EXPECT_TRUE(heist::any_of(once(1 << 20, &read), [](const std::unique_ptr<int>& q) { return *q == 10; }));
    EXPECT_LE(read, 1024 * (4 * static_cast<int>(p.workers()) + 6));
    read = 0;
    EXPECT_THROW(heist::for_each(once(1 << 20, &read), [](const std::unique_ptr<int>& q) { if (*q == 10) throw failure(1); }), failure);
    EXPECT_LE(read, 1024 * (4 * static_cast<int>(p.workers()) + 6));
    EXPECT_THROW(heist::for_each(once(100), [](auto&&) {}, heist_test::stopped()), heist::cancelled);
  });
}

// The first batch waits until a later one has been worked on, where there is a thief; results that came early are kept.
TEST(results, are_taken_in_order_even_if_they_come_out_of_order) {
  in_every_pool([](heist::pool& p) {
    heist_test::first_theft theft(p);
    std::vector<int> out;
    heist::transform(numbers(5000), std::back_inserter(out), [&](int i) {
      theft.await();
      return i;
    });
    const std::list<int> expected = numbers(5000);
    EXPECT_TRUE(std::equal(out.begin(), out.end(), expected.begin(), expected.end()));
  });
}

TEST(Fed, the_extremes_are_those_of_the_standard) {
  in_every_pool([](heist::pool& pool) {
    for (const int n : some_sizes) {
      const std::list<int> all = numbers(n);
      auto by_tens = [](int x) { return x / 10; };  // many are equal
      pool.run([&] {
        ASSERT_EQ(heist::min_element(all, {}, by_tens), std::ranges::min_element(all, {}, by_tens));
        ASSERT_EQ(heist::max_element(all, {}, by_tens), std::ranges::max_element(all, {}, by_tens));
        const auto [low, high] = heist::minmax_element(all, {}, by_tens);
        const auto expected = std::ranges::minmax_element(all, {}, by_tens);
        ASSERT_EQ(low, expected.min);
        ASSERT_EQ(high, expected.max);
        if (n != 0) {
          ASSERT_EQ(heist::min(all), std::ranges::min(all));
          ASSERT_EQ(heist::max(all | std::views::filter(third)), std::ranges::max(all | std::views::filter(third)));
          ASSERT_EQ(heist::minmax(all).max, std::ranges::max(all));
          std::ostringstream text;
          for (const int x : all) text << x << ' ';
          std::istringstream once(text.str()), again(text.str());
          ASSERT_EQ(heist::max(std::ranges::istream_view<int>(once)), std::ranges::max(all));
          const auto both = heist::minmax(std::ranges::istream_view<int>(again), {}, by_tens);
          ASSERT_EQ(both.min, *expected.min);
          ASSERT_EQ(both.max, *expected.max);
        } else {
          ASSERT_THROW(static_cast<void>(heist::max(all)), std::invalid_argument);
          std::istringstream nothing;
          ASSERT_THROW(static_cast<void>(heist::min(std::ranges::istream_view<int>(nothing))), std::invalid_argument);
        }
      });
    }
  });
}

// The rest looks anywhere: for it, the places of the elements are noted.
TEST(a_list, gives_what_the_standard_gives_to_searches_and_comparisons) {
  in_every_pool([](heist::pool&) {
    for (const int n : some_sizes) {
      const std::list<int> all = numbers(n);
      const std::vector<int> same(all.begin(), all.end());
      const auto at = [&all](auto place) { return std::distance(all.begin(), place); };
      const auto in = [&same](auto place) { return place - same.begin(); };
      const std::list<int> part(std::next(all.begin(), n / 2), std::next(all.begin(), std::min(n, n / 2 + 3)));
      EXPECT_EQ(at(heist::find_if_not(all, third)), in(std::ranges::find_if_not(same, third)));
      EXPECT_EQ(at(heist::find_last(all, 5).begin()), in(heist::find_last(same, 5).begin()));
      EXPECT_EQ(at(heist::find_last_if(all.begin(), all.end(), third).begin()), in(heist::find_last_if(same, third).begin()));
      EXPECT_EQ(at(heist::adjacent_find(all, std::less<>())), in(std::ranges::adjacent_find(same, std::less<>())));
      EXPECT_EQ(at(heist::adjacent_find(all)), n);
      EXPECT_EQ(at(heist::search(all, part).begin()), in(std::ranges::search(same, part).begin()));
      EXPECT_EQ(at(heist::find_end(all.begin(), all.end(), part.begin(), part.end())), in(std::ranges::find_end(same, part).begin()));
      EXPECT_EQ(at(heist::find_first_of(all, part)), in(std::ranges::find_first_of(same, part)));
      EXPECT_EQ(at(heist::search_n(all, 1, 7).begin()), in(std::ranges::search_n(same, 1, 7).begin()));
      EXPECT_TRUE(heist::equal(all, same) && heist::equal(same, all) && heist::equal(all.begin(), all.end(), same.begin()));
      EXPECT_EQ(heist::equal(all, part), n <= 1);
      EXPECT_EQ(at(heist::mismatch(all, part).in1), in(std::ranges::mismatch(same, part).in1));
      EXPECT_EQ(heist::mismatch(same, all).in2, all.end());
      EXPECT_EQ(at(heist::is_sorted_until(all)), in(std::ranges::is_sorted_until(same)));
      EXPECT_EQ(heist::is_partitioned(all, third), std::ranges::is_partitioned(same, third));
      EXPECT_EQ(heist::lexicographical_compare(part, all), std::ranges::lexicographical_compare(part, same));
      EXPECT_TRUE(heist::starts_with(all, std::views::take(all, n / 2)) && heist::contains_subrange(all, part));
      EXPECT_TRUE(heist::ends_with(same, std::list<int>(std::next(all.begin(), n / 2), all.end())));
      const std::set<int> sorted(all.begin(), all.end()), some(part.begin(), part.end());
      EXPECT_TRUE(heist::includes(sorted, some) && heist::is_sorted(sorted));
      std::vector<int> ours(sorted.size() + some.size()), theirs(ours);
      EXPECT_EQ(heist::set_union(sorted, some, ours.begin()).out - ours.begin(), std::ssize(sorted));
      std::ranges::set_union(sorted, some, theirs.begin());
      EXPECT_EQ(ours, theirs);
      heist::merge(sorted, some, ours.begin());
      std::ranges::merge(sorted, some, theirs.begin());
      EXPECT_EQ(ours, theirs);
      EXPECT_EQ(heist::transform_reduce(all.begin(), all.end(), same.begin(), 0), heist::transform_reduce(same.begin(), same.end(), all.begin(), 0));
      EXPECT_EQ(heist::top_k(all, 3), heist::top_k(same, 3));
      EXPECT_EQ(heist::pack_index(all, third), heist::pack_index(same, third));
    }
  });
}

TEST(a_list, gives_what_the_standard_gives_to_what_writes) {
  in_every_pool([](heist::pool&) {
    for (const int n : some_sizes) {
      std::list<int> all = numbers(n);
      std::vector<int> same(all.begin(), all.end()), ours(same.size()), theirs(ours);
      const auto check = [&](auto&& end, auto&& expected) {
        EXPECT_EQ(end - ours.begin(), expected - theirs.begin());
        EXPECT_EQ(ours, theirs);
      };
      check(heist::replace_copy(all, ours.begin(), 7, -1).out, std::ranges::replace_copy(same, theirs.begin(), 7, -1).out);
      check(heist::remove_copy_if(all, ours.begin(), third).out, std::ranges::remove_copy_if(same, theirs.begin(), third).out);
      check(heist::unique_copy(all.begin(), all.end(), ours.begin()), std::unique_copy(same.begin(), same.end(), theirs.begin()));
      check(heist::reverse_copy(all, ours.begin()).out, std::ranges::reverse_copy(same, theirs.begin()).out);
      check(heist::inclusive_scan(all, ours.begin()), std::inclusive_scan(same.begin(), same.end(), theirs.begin()));
      check(heist::exclusive_scan(all, ours.begin(), 3), std::exclusive_scan(same.begin(), same.end(), theirs.begin(), 3));
      check(heist::adjacent_difference(all, ours.begin()), std::adjacent_difference(same.begin(), same.end(), theirs.begin()));
      check(heist::transform(all, all, ours.begin(), std::plus<>()).out, std::ranges::transform(same, same, theirs.begin(), std::plus<>()).out);
      check(heist::transform(same.begin(), same.end(), all.begin(), ours.begin(), std::minus<>()),
            std::transform(same.begin(), same.end(), all.begin(), theirs.begin(), std::minus<>()));
      check(heist::copy_n(all.begin(), n / 2, ours.begin()), std::copy_n(same.begin(), n / 2, theirs.begin()));
      check(heist::move(all, ours.begin()).out, std::ranges::move(same, theirs.begin()).out);
      std::vector<int> others(same.size());
      EXPECT_EQ(heist::partition_copy(all, ours.begin(), others.begin(), third).out1 - ours.begin(), heist::count_if(same, third));

      EXPECT_EQ(heist::for_each_n(all.begin(), n / 2, [](int& x) { x = 4000; }), std::next(all.begin(), n / 2));
      EXPECT_EQ(heist::count(all, 4000), n / 2);
      heist::replace_if(all, [](int x) { return x == 4000; }, 7);
      heist::replace(all, 7, 8);
      EXPECT_FALSE(heist::contains(all, 7));
      heist::generate(all, [](std::size_t k) { return static_cast<int>(k); });
      EXPECT_TRUE(std::ranges::equal(all, std::views::iota(0, n)));
      EXPECT_EQ(heist::fill_n(all.begin(), n / 2, -1), std::next(all.begin(), n / 2));
      EXPECT_EQ(heist::count(all, -1), n / 2);
      heist::fill(all, 1);
      std::atomic<long> sum{0}, pairs{0};
      heist::for_each_chunk(all, 7, [&](auto chunk) { sum += std::accumulate(chunk.begin(), chunk.end(), 0L); });
      EXPECT_EQ(sum, n);
      heist::for_each_window(all, 2, [&](auto two) { pairs += two[0] + two[1]; });
      EXPECT_EQ(pairs, n < 2 ? 0 : 2 * (n - 1));
    }
  });
}

TEST(an_output_without_random_access, is_written_in_order) {
  in_every_pool([](heist::pool&) {
    for (const int n : some_sizes) {
      std::vector<int> all(static_cast<std::size_t>(n));
      std::iota(all.begin(), all.end(), 0);
      std::vector<int> wanted, expected;
      heist::copy_if(all, std::back_inserter(wanted), third);
      std::ranges::copy_if(all, std::back_inserter(expected), third);
      EXPECT_EQ(wanted, expected);
      std::list<long> squares(all.size());
      EXPECT_EQ(heist::transform(all.begin(), all.end(), squares.begin(), [](int x) { return long{x} * x; }), squares.end());
      EXPECT_TRUE(std::ranges::equal(squares, all | std::views::transform([](int x) { return long{x} * x; })));
      std::ostringstream text;
      heist::copy(all, std::ostream_iterator<int>(text, " "));
      std::istringstream again(text.str());
      EXPECT_EQ(heist::count_if(std::ranges::istream_view<int>(again), [](int) { return true; }), n);
      std::vector<int> both;
      heist::set_intersection(all, wanted, std::back_inserter(both));
      EXPECT_EQ(both, expected);
      heist::set_difference(all, wanted, std::back_inserter(both));
      heist::remove_copy_if(all, std::back_inserter(expected), third);
      EXPECT_EQ(both, expected);
      both.clear(), expected.clear();
      heist::merge(std::set<int>(all.begin(), all.end()), wanted, std::back_inserter(both));
      std::ranges::merge(all, wanted, std::back_inserter(expected));
      EXPECT_EQ(both, expected);
      expected = wanted;
      std::vector<std::unique_ptr<int>> owners(all.size()), taken;
      heist::move(owners, std::back_inserter(taken));
      EXPECT_EQ(taken.size(), all.size());
      if (n > 100) {
        EXPECT_THROW(heist::transform(all, std::back_inserter(wanted), [](int x) { return x < 50 ? x : throw failure(x); }), failure);
        EXPECT_LE(wanted.size(), expected.size() + 50);
      }
    }
  });
}

TEST(a_stream, is_not_read_behind_the_last_of_n_elements) {
  std::istringstream in("1 2 3 4 5");
  std::vector<int> out(3), more;
  EXPECT_EQ(heist::copy_n(std::istream_iterator<int>(in), 3, out.begin()), out.end());
  EXPECT_EQ(out, (std::vector<int>{1, 2, 3}));
  heist::copy_n(std::istream_iterator<int>(in), 2, std::back_inserter(more));
  EXPECT_EQ(more, (std::vector<int>{4, 5}));
  EXPECT_EQ(heist::copy_n(out.begin(), -1, more.begin()), more.begin());
}

TEST(two_lists, are_folded_together_and_merged) {
  const std::list<int> a{1, 2, 3}, b{4, 5, 6, 7};
  const std::vector<int> v{1, 1, 1};
  EXPECT_EQ(heist::transform_reduce(a, b, 0), 4 + 10 + 18);
  EXPECT_EQ(heist::transform_reduce(v, a, 0), 6);
  std::vector<int> merged, expected;
  heist::merge(v, b, std::back_inserter(merged));
  heist::merge(a, v, std::back_inserter(merged), std::greater<>());
  std::ranges::merge(v, b, std::back_inserter(expected));
  std::ranges::merge(a, v, std::back_inserter(expected), std::greater<>());
  EXPECT_EQ(merged, expected);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(heist::merge(v, b, std::back_inserter(merged), {}, {}, {}, stop.get_token()), heist::cancelled);
}

TEST(values_in_braces, are_a_range) {
  EXPECT_EQ(heist::min({3, 1, 2}), 1);
  EXPECT_EQ(heist::max({3, 1, 2}, std::greater<>()), 1);
  EXPECT_EQ(heist::minmax({3, 1, 2}).max, 3);
  std::atomic<int> sum{0};
  heist::for_each({3, 1, 2}, [&](int x) { sum += x; });
  EXPECT_EQ(sum, 6);
}

TEST(Fed, a_limit_holds_for_the_bodies_of_all_batches) {
  heist::pool pool({.workers = 3});
  std::atomic<int> now{0}, most{0};
  auto body = [&](int x) {
    const int here = ++now;
    for (int seen = most; seen < here && !most.compare_exchange_weak(seen, here);) {
    }
    heist::sleep_for(std::chrono::microseconds(200));  // one that waits counts, and lets the others begin
    --now;
    return x;
  };
  const std::list<int> all = numbers(60);
  for (const int n : {1, 2, 40}) {
    const heist::limit limit{static_cast<std::size_t>(n)};
    most = 0;
    pool.run([&] { heist::for_each(all, [&](int x) { body(x); }, limit); });
    EXPECT_LE(most, n);
    std::vector<int> made;
    pool.run([&] { heist::transform(all, std::back_inserter(made), body, limit); });
    EXPECT_LE(most, n);
    EXPECT_TRUE(std::ranges::equal(made, all));
  }
}

}  // namespace
