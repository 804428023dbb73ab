// What the standard does not have: vectors made in parallel, groups, random orders, loops over more than one element.
// Held against loops.
#include "tests/algorithms/items.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <ranges>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace {

using heist_test::in_every_pool;
using heist_test::rare;

constexpr std::size_t some_sizes[] = {0, 1, 3, 100, 2000, 40000};

std::vector<int> numbers(std::size_t n) {
  std::mt19937 dice(static_cast<unsigned>(n));
  std::vector<int> v(n);
  for (int& x : v) x = static_cast<int>(dice() % (n / 4 + 3));
  return v;
}

TEST(a_vector, is_made_of_what_has_no_default_and_cannot_be_copied) {
  for (const std::size_t n : some_sizes)
    in_every_pool([n](heist::pool&) {
      const auto made = heist::tabulate(n, [](std::size_t i) { return rare(static_cast<int>(i) * 2); });
      ASSERT_EQ(made.size(), n);
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(made[i].value(), static_cast<int>(i) * 2);
    });
  EXPECT_EQ(rare::live(), 0);
  EXPECT_TRUE(heist::tabulate(-3, [](int i) { return i; }).empty());
}

TEST(a_vector, is_gone_if_an_element_throws) {
  in_every_pool([](heist::pool&) {
    for (const int bad : {0, 1234, 4999})
      EXPECT_THROW(static_cast<void>(heist::tabulate(5000,
                                                     [bad](int i) {
                                                       if (i >= bad) throw heist_test::failure(i);
                                                       return rare(i);
                                                     })),
                   heist_test::failure);
  });
  EXPECT_EQ(rare::live(), 0);
}

TEST(a_vector, of_objects_that_exist_or_not_is_given_up_after_the_first_failure) {
  in_every_pool([](heist::pool& pool) {
    std::atomic<int> calls{0};
    auto failing = [&calls](int i) {
      ++calls;
      if (i == 0) throw heist_test::failure(i);
      return rare(i);
    };
    EXPECT_THROW(static_cast<void>(heist::tabulate(5000, failing)), heist_test::failure);
    if (pool.workers() == 1) { ASSERT_EQ(calls, 1); }
    calls = 0;
    std::vector<int> places(5000);
    std::iota(places.begin(), places.end(), 0);
    std::allocator<rare> memory;
    rare* const room = memory.allocate(places.size());
    const auto made = places | std::views::transform(failing);
    EXPECT_THROW(heist::uninitialized_copy(made.begin(), made.end(), room), heist_test::failure);
    memory.deallocate(room, places.size());
    if (pool.workers() == 1) { ASSERT_EQ(calls, 1); }
  });
  EXPECT_EQ(rare::live(), 0);
}

TEST(a_vector, that_is_given_away_is_returned_as_it_is) {
  std::vector<std::unique_ptr<int>> v(100);
  const auto* const at = v.data();
  EXPECT_EQ(heist::to_vector(std::move(v)).data(), at);
}

TEST(a_vector, is_collected_from_ranges_of_every_kind) {
  const std::vector<int> v = numbers(5000);
  std::vector<std::string> texts;
  for (const int i : v) texts.push_back(std::to_string(i));
  in_every_pool([&](heist::pool&) {
    EXPECT_EQ(heist::collect(v, [](int i) { return std::to_string(i); }), texts);
    EXPECT_EQ(heist::collect(v), v);
    EXPECT_EQ(heist::to_vector(std::vector<bool>{true, false}), (std::vector<bool>{true, false}));
    EXPECT_EQ(heist::to_vector(std::map<int, int>{{1, 2}, {3, 4}}).size(), 2u);
    EXPECT_EQ(heist::tabulate(3, [](int i) { return i == 1; }), (std::vector<bool>{false, true, false}));
    EXPECT_EQ(heist::pack_index(v, [](int i) { return i == 3; }).size(), static_cast<std::size_t>(std::count(v.begin(), v.end(), 3)));
    EXPECT_EQ(heist::pack_index(std::vector<bool>{false, true, true}), (std::vector<std::size_t>{1, 2}));
  });
}

TEST(ranges_of_ranges, are_joined) {
  for (const std::size_t n : {0, 1, 10, 3000}) {
    std::vector<std::vector<int>> parts;
    std::vector<int> whole;
    for (std::size_t i = 0; i < n; ++i) parts.emplace_back(i % 7 == 3 ? 1000 % (i + 1) : i % 5, static_cast<int>(i));
    for (const auto& p : parts) whole.insert(whole.end(), p.begin(), p.end());
    in_every_pool([&](heist::pool&) {
      EXPECT_EQ(heist::flatten(parts), whole);
      EXPECT_EQ(heist::flatten(std::vector(parts)), whole);
      EXPECT_EQ(heist::concat_map(parts, [](const auto& p) { return p; }), whole);
    });
  }
}

TEST(groups, come_in_either_order) {
  for (const std::size_t n : some_sizes) {
    const std::vector<int> v = numbers(n);
    std::vector<std::pair<int, std::vector<int>>> expected;
    std::map<int, std::size_t> counts;
    for (const int x : v) {
      auto group = std::find_if(expected.begin(), expected.end(), [&](const auto& g) { return g.first == x % 7; });
      if (group == expected.end()) group = expected.insert(group, {x % 7, {}});
      group->second.push_back(x);
      ++counts[x];
    }
    in_every_pool([&](heist::pool&) {
      EXPECT_EQ(heist::group_by(v, [](int x) { return x % 7; }), expected);
      const auto counted = heist::count_by(v, {}, heist::group_order::keys);
      EXPECT_TRUE(std::equal(counted.begin(), counted.end(), counts.begin(), counts.end(),
                             [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }));
      // Not commutative: the order in a group shows.
      const auto texts = heist::reduce_by_key(v, [](int x) { return x % 7; }, [](int x) { return std::to_string(x); });
      ASSERT_EQ(texts.size(), expected.size());
      for (std::size_t g = 0; g < texts.size(); ++g) {
        std::string text;
        for (const int x : expected[g].second) text += std::to_string(x);
        ASSERT_EQ(texts[g], std::pair(expected[g].first, text));
      }
    });
  }
}

struct clumsy {
  int value;
  friend bool operator==(clumsy, clumsy) = default;
};

}  // namespace

// Every key has the same hash.
template <>
struct std::hash<clumsy> {
  std::size_t operator()(clumsy) const noexcept { return 7; }
};

namespace {

TEST(groups, are_told_apart_by_more_than_their_hashes) {
  const std::vector<int> v = numbers(3000);
  in_every_pool([&](heist::pool&) {
    const auto groups = heist::count_by(v, [](int x) { return clumsy{x % 5}; });
    ASSERT_EQ(groups.size(), 5u);
    for (const auto& [key, count] : groups)
      EXPECT_EQ(count, static_cast<std::size_t>(std::count_if(v.begin(), v.end(), [k = key.value](int x) { return x % 5 == k; })));
  });
}

TEST(the_largest, come_first_and_equals_in_order) {
  for (const std::size_t n : some_sizes) {
    std::vector<heist_test::item> v = heist_test::items(n, heist_test::shape::few);
    std::vector<heist_test::item> down = v;
    std::stable_sort(down.begin(), down.end(), [](const auto& a, const auto& b) { return a.key > b.key; });
    in_every_pool([&](heist::pool&) {
      for (const std::size_t k : {std::size_t{0}, std::size_t{5}, n / 2, n + 1}) {
        const auto top = heist::top_k(v, k, {}, &heist_test::item::key);
        ASSERT_EQ(top, std::vector(down.begin(), down.begin() + static_cast<std::ptrdiff_t>(std::min(k, n))));
      }
      if (n == 0)
        EXPECT_THROW(static_cast<void>(heist::kth(v, 0, {}, &heist_test::item::key)), std::out_of_range);
      else
        EXPECT_EQ(heist::kth(v, n / 2, std::greater<>(), &heist_test::item::key), down[n / 2]);
    });
  }
}

TEST(a_random_order, depends_on_the_seed_alone) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{100000}}) {
    std::vector<std::size_t> first, chosen;
    in_every_pool([&](heist::pool&) {
      const std::vector<std::size_t> order = heist::random_permutation(n, 42);
      if (first.empty()) first = order;
      EXPECT_EQ(order, first);
      std::vector<std::size_t> all = order, counted(n);
      std::iota(counted.begin(), counted.end(), 0);
      heist::shuffle(all = counted, 42);
      EXPECT_EQ(all, order);
      heist::sort(all);
      EXPECT_EQ(all, counted);
      if (n >= 1000) {
        EXPECT_NE(order, heist::random_permutation(n, 43));
      }
      std::vector<std::size_t> some(n / 3);
      EXPECT_EQ(heist::sample(counted, some.begin(), n / 3, 42), some.end());
      EXPECT_TRUE(std::is_sorted(some.begin(), some.end()) && std::adjacent_find(some.begin(), some.end()) == some.end());
      if (chosen.empty()) chosen = some;
      EXPECT_EQ(some, chosen);
      // There and back.
      std::vector<std::size_t> back(n);
      heist::scatter(heist::gather(counted, order), order, back);
      EXPECT_EQ(back, counted);
    });
  }
  std::vector<int> room(3);
  EXPECT_EQ(heist::gather(std::vector{1, 2, 3}, std::vector{2, 0}, room), room.begin() + 2);
  EXPECT_EQ(room, (std::vector{3, 1, 0}));
  EXPECT_THROW(heist::gather(std::vector{1, 2}, std::vector{0, 1, 0, 1}, room), std::out_of_range);
  EXPECT_THROW(heist::transpose(std::vector{1, 2, 3, 4}, 2, 2, room), std::out_of_range);
  EXPECT_EQ(room, (std::vector{3, 1, 0})) << "written before it was refused";
  EXPECT_THROW(static_cast<void>(heist::gather(std::vector{1, 2}, std::vector{2})), std::out_of_range);
  EXPECT_THROW(static_cast<void>(heist::gather(std::vector{1, 2}, std::vector{-1})), std::out_of_range);
}

TEST(scatter, refuses_indices_beyond_the_room_and_in_checked_builds_equal_ones) {
  in_every_pool([](heist::pool&) {
    for (const long bad : {3L, -1L, std::numeric_limits<long>::max(), std::numeric_limits<long>::min()}) {
      std::vector<int> room(3);
      EXPECT_THROW(heist::scatter(std::vector{1, 2, 3}, std::vector{0L, bad, 2L}, room), std::out_of_range) << bad;
    }
    std::vector<int> few(1);
    EXPECT_THROW(heist::scatter(std::vector{1, 2}, std::vector{0}, few), std::invalid_argument);
    EXPECT_EQ(few[0], 0);
    // Two elements with one index, far from each other.
    std::vector<std::size_t> indices(10'000);
    std::iota(indices.begin(), indices.end(), 0);
    const std::vector<int> ones(indices.size(), 1);
    std::vector<int> out(indices.size());
    heist::scatter(ones, indices, out);
    EXPECT_EQ(out, ones);
#if defined(HEIST_CHECKED)
    indices.front() = indices.back();
    std::fill(out.begin(), out.end(), 0);
    EXPECT_THROW(heist::scatter(ones, indices, out), std::invalid_argument);
    EXPECT_THROW(heist::scatter(ones, indices, out.begin()), std::invalid_argument);
    EXPECT_EQ(std::count(out.begin(), out.end(), 0), 10'000) << "written before it was refused";
#endif
  });
}

TEST(rows, become_columns) {
  in_every_pool([](heist::pool&) {
    for (const std::size_t rows : {0, 1, 7, 100})
      for (const std::size_t columns : {0, 1, 33, 70}) {
        std::vector<std::size_t> m(rows * columns);
        std::iota(m.begin(), m.end(), 0);
        const std::vector<std::size_t> turned = heist::transpose(m, rows, columns);
        for (std::size_t i = 0; i < rows; ++i)
          for (std::size_t j = 0; j < columns; ++j) ASSERT_EQ(turned[j * rows + i], m[i * columns + j]);
      }
    EXPECT_EQ(heist::transpose(std::vector<std::vector<int>>{{1, 2, 3}, {4, 5, 6}}), (std::vector<std::vector<int>>{{1, 4}, {2, 5}, {3, 6}}));
    EXPECT_THROW(static_cast<void>(heist::transpose(std::vector{1, 2, 3}, 2, 2)), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(heist::transpose(std::vector<std::vector<int>>{{1, 2}, {3}})), std::invalid_argument);
  });
}

TEST(a_cached_key, is_computed_once) {
  for (const std::size_t n : some_sizes)
    in_every_pool([n](heist::pool&) {
      std::vector<rare> v = heist_test::rares(n);
      std::atomic<std::size_t> calls{0};
      heist::sort_by_cached_key(v, [&](const rare& r) { return ++calls, std::to_string(r.value()); });
      EXPECT_EQ(calls.load(), n);
      EXPECT_TRUE(std::is_sorted(v.begin(), v.end(), [](const rare& a, const rare& b) { return std::to_string(a.value()) < std::to_string(b.value()); }));
    });
}

TEST(a_loop, gets_chunks_windows_and_pairs) {
  for (const std::size_t n : {0, 1, 2, 13, 500})
    in_every_pool([n](heist::pool&) {
      std::vector<int> v(n);
      heist::for_each_chunk(v, 13, [&](std::span<int> chunk, std::size_t number) {
        EXPECT_EQ(chunk.size(), std::min<std::size_t>(13, n - number * 13));
        for (int& x : chunk) ++x;
      });
      EXPECT_EQ(std::count(v.begin(), v.end(), 1), std::ssize(v));
      std::iota(v.begin(), v.end(), 0);
      std::atomic<std::size_t> windows{0};
      heist::for_each_window(v, 3, [&](std::span<const int> w) { windows += w.size() == 3 && w[0] + 2 == w[2]; });
      EXPECT_EQ(windows.load(), n < 3 ? 0 : n - 2);
      std::vector<std::atomic<int>> met(n * n);
      heist::for_each_pair(v, [&](int i, int j) { ++met[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)]; });
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) ASSERT_EQ(met[i * n + j], i < j);
    });
  EXPECT_THROW(heist::for_each_chunk(std::vector{1}, 0, [](auto) {}), std::invalid_argument);
}

TEST(a_loop, visits_every_cell_of_a_plane_and_of_a_brick) {
  for (const std::size_t a : {0, 1, 33, 70})
    for (const std::size_t b : {0, 1, 9, 300})
      in_every_pool([a, b](heist::pool&) {
        std::vector<std::atomic<int>> plane(a * b), brick(9 * a * 65);
        heist::for_each_index_2d(a, b, [&](std::size_t i, std::size_t j) { ++plane[i * b + j]; });
        for (const auto& cell : plane) ASSERT_EQ(cell, 1);
        heist::for_each_index_3d(1u, 10u, 0, a, -5, 60, [&](unsigned i, std::size_t j, int k) {
          ++brick[((i - 1) * a + j) * 65 + static_cast<std::size_t>(k + 5)];
        });
        for (const auto& cell : brick) ASSERT_EQ(cell, 1);
      });
}

TEST(RandomPermutation, stops_when_its_token_says_so_however_short_it_is) {
  std::stop_source stop;
  EXPECT_EQ(heist::random_permutation(10, 3, stop.get_token()).size(), 10u);
  stop.request_stop();
  for (const std::size_t n : {10u, 10'000u, 100'000u})
    EXPECT_THROW(static_cast<void>(heist::random_permutation(n, 3, stop.get_token())), heist::cancelled);
}

}  // namespace
