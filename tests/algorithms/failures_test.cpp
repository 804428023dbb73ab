// Callbacks, copies and moves that throw, and stops, at any moment of every algorithm: what was thrown arrives, nothing
// leaks, and the range is left as docs/reference/quick_reference.md promises. One row an algorithm.
#include "tests/algorithms/items.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace {

using heist_test::failure;
using heist_test::in_every_pool;

// What happens at the n-th strain from now on.
enum class event : unsigned char { nothing, failure, stop };
struct fate {
  std::atomic<long> left{0};
  event what = event::nothing;
  bool in_moves = false;
  std::stop_source stop;
};
fate* now = nullptr;

void strain() {
  if (now == nullptr || now->left.fetch_sub(1, std::memory_order_relaxed) != 1) return;
  if (now->what == event::failure) throw failure(1);
  if (now->what == event::stop) now->stop.request_stop();
}

// Over-aligned, counted, and its copies are a strain; its moves, too, if the fate says so.
struct alignas(128) thing {
  int key = 0, place = 0;

  thing() { ++live; }
  thing(int k, int p) : key(k), place(p) { ++live; }
  thing(const thing& from) : key(from.key), place(from.place) { strain(), ++live; }
  thing(thing&& from) : key(from.key), place(from.place) { move_strain(), ++live; }
  thing& operator=(const thing& from) {
    strain();
    key = from.key, place = from.place;
    return *this;
  }
  thing& operator=(thing&& from) {
    move_strain();
    key = from.key, place = from.place;
    return *this;
  }
  ~thing() { --live; }
  friend bool operator==(const thing& a, const thing& b) { return strain(), a.key == b.key; }

  static void move_strain() {
    if (now != nullptr && now->in_moves) strain();
  }
  static inline std::atomic<long> live{0};
};
using things = std::vector<thing>;

bool less(const thing& a, const thing& b) { return strain(), a.key < b.key; }
bool same(const thing& a, const thing& b) { return strain(), a.key == b.key; }
bool odd(const thing& a) { return strain(), a.key % 2 != 0; }
bool any(const thing&) { return strain(), true; }
bool none(const thing&) { return strain(), false; }
int key(const thing& a) { return strain(), a.key; }

constexpr int n = 3000;
struct ranges {
  things mixed, sorted, evens, halves, out, odd_one;
  std::vector<std::size_t> order;
  std::vector<things> rows;

  ranges() : out(2 * n), order(n), rows(60) {
    for (int i = 0; i < n; ++i) {
      mixed.emplace_back(i * 7919 % 1009, i);
      sorted.emplace_back(i, i);
      if (i % 2 == 0) evens.emplace_back(i, i);
      rows[static_cast<std::size_t>(i % 60)].emplace_back(i, i);
    }
    halves.insert(halves.end(), sorted.begin() + n / 3, sorted.end());
    halves.insert(halves.end(), sorted.begin(), sorted.begin() + n / 3);
    odd_one.emplace_back(-1, -1);
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
  }
  long size() const {
    return std::ssize(mixed) + std::ssize(sorted) + std::ssize(evens) + std::ssize(halves) + std::ssize(out) + 1 + n;
  }
};

std::vector<int> places(const things& v) {
  std::vector<int> all;
  for (const thing& x : v) all.push_back(x.place);
  std::ranges::sort(all);
  return all;
}
bool unmoved(const things& a, const things& b) {
  return std::ranges::equal(a, b, [](const thing& x, const thing& y) { return x.place == y.place; });
}

// What is left of the ranges after a failure of a callback: all elements in some order, or in their order.
enum class left : unsigned char { some_order, unmoved, anything };
struct row {
  const char* name;
  left after;
  void (*call)(ranges&, std::stop_token);
};

// r is the ranges. Each call takes a small grain, so that a failure falls between strands.
#define ROW(name, after, ...)                                                                             \
  row {                                                                                                   \
#name, left::after,                                                                                   \
        []([[maybe_unused]] ranges & r,                                                                   \
           std::stop_token stop) { static_cast<void>(heist::name(__VA_ARGS__, heist::grain{64}, stop)); } \
  }
#define MIDDLE(v) r.v.begin() + n / 3

const row callbacks[] = {
    ROW(set_union, unmoved, r.sorted, r.evens, r.out.begin(), less),
    ROW(set_intersection, unmoved, r.sorted, r.evens, r.out.begin(), less),
    ROW(set_difference, unmoved, r.sorted, r.evens, r.out.begin(), less),
    ROW(set_symmetric_difference, unmoved, r.sorted, r.evens, r.out.begin(), less),
    ROW(includes, unmoved, r.sorted, r.evens, less),
    ROW(merge, unmoved, r.sorted, r.evens, r.out.begin(), less),
    ROW(inplace_merge, some_order, r.halves, r.halves.end() - n / 3, less),
    ROW(partial_sort, some_order, r.mixed, MIDDLE(mixed), less),
    ROW(partial_sort_copy, unmoved, r.mixed.begin(), r.mixed.end(), r.out.begin(), r.out.begin() + n / 3, less),
    ROW(top_k, unmoved, r.mixed, n / 3, less),
    ROW(kth, unmoved, r.mixed, n / 3, less),
    ROW(nth_element, some_order, r.mixed, MIDDLE(mixed), less),
    ROW(sort_by_cached_key, some_order, r.mixed, key),
    ROW(remove, unmoved, r.mixed, r.mixed[7]),
    ROW(remove_if, unmoved, r.mixed, odd),
    ROW(remove_copy, unmoved, r.mixed, r.out.begin(), r.mixed[7]),
    ROW(remove_copy_if, unmoved, r.mixed, r.out.begin(), odd),
    ROW(unique, unmoved, r.mixed, same),
    ROW(unique_copy, unmoved, r.mixed, r.out.begin(), same),
    ROW(partition, some_order, r.mixed, odd),
    ROW(stable_partition, unmoved, r.mixed, odd),
    ROW(partition_copy, unmoved, r.mixed, r.out.begin(), r.out.begin() + n, odd),
    ROW(replace, anything, r.mixed, r.mixed[7], r.odd_one[0]),
    ROW(replace_if, anything, r.mixed, odd, r.odd_one[0]),
    ROW(replace_copy, unmoved, r.mixed, r.out.begin(), r.mixed[7], r.odd_one[0]),
    ROW(replace_copy_if, unmoved, r.mixed, r.out.begin(), odd, r.odd_one[0]),
    ROW(pack_index, unmoved, r.mixed, odd),
    ROW(group_by, unmoved, r.mixed, key),
    ROW(count_by, unmoved, r.mixed, key),
    ROW(reduce_by_key, unmoved, r.mixed, key, key, std::plus<>()),
    ROW(collect, unmoved, r.mixed, [](const thing& x) { return strain(), thing(x.key, x.place); }),
    ROW(tabulate, unmoved, n, [](int i) { return strain(), thing(i, i); }),
    ROW(concat_map, unmoved, r.mixed,
        [](const thing& x) { return strain(), things(static_cast<std::size_t>(x.key % 3)); }),
    ROW(for_each_chunk, unmoved, r.mixed, 7, [](auto&& chunk) { static_cast<void>(key(chunk.front())); }),
    ROW(for_each_window, unmoved, r.mixed, 7, [](auto&& window) { static_cast<void>(key(window.front())); }),
    ROW(for_each_pair, unmoved, r.mixed.begin(), r.mixed.begin() + 200,
        [](const thing& a, const thing& b) { static_cast<void>(less(a, b)); }),
    ROW(for_each_index_2d, unmoved, 70, 80, [](int, int) { strain(); }),
    ROW(for_each_index_3d, unmoved, 20, 20, 20, [](int, int, int) { strain(); }),
    ROW(adjacent_find, unmoved, r.sorted, same),
    ROW(search, unmoved, r.sorted, r.odd_one, same),
    ROW(search_n, unmoved, r.sorted, 2, r.odd_one[0], same),
    ROW(find_end, unmoved, r.sorted, r.odd_one, same),
    ROW(find_first_of, unmoved, r.sorted, r.odd_one, same),
    ROW(find_if_not, unmoved, r.sorted, any),
    ROW(find_last, unmoved, r.sorted, r.odd_one[0]),
    ROW(find_last_if, unmoved, r.sorted, none),
    ROW(find_last_if_not, unmoved, r.sorted, any),
    ROW(contains, unmoved, r.sorted, r.odd_one[0]),
    ROW(contains_subrange, unmoved, r.sorted, r.odd_one, same),
    ROW(starts_with, unmoved, r.sorted, r.sorted, same),
    ROW(ends_with, unmoved, r.sorted, r.sorted, same),
    ROW(is_heap, unmoved, r.sorted, [](const thing& a, const thing& b) { return less(b, a); }),
    ROW(is_heap_until, unmoved, r.sorted, [](const thing& a, const thing& b) { return less(b, a); }),
    ROW(is_partitioned, unmoved, r.sorted, any),
    ROW(is_sorted_until, unmoved, r.sorted, less),
    ROW(lexicographical_compare, unmoved, r.sorted, r.sorted, less),
    ROW(min_element, unmoved, r.mixed, less),
    ROW(min, unmoved, r.mixed, less),
    ROW(max, unmoved, r.mixed, less),
    ROW(minmax, unmoved, r.mixed, less),
    ROW(adjacent_difference, unmoved, r.mixed, r.out.begin(),
        [](const thing& a, const thing& b) { return strain(), thing(a.key - b.key, 0); }),
    // No callback, but copies.
    ROW(copy_n, unmoved, r.mixed.begin(), n, r.out.begin()),
    ROW(reverse_copy, unmoved, r.mixed, r.out.begin()),
    ROW(rotate_copy, unmoved, r.mixed, MIDDLE(mixed), r.out.begin()),
    ROW(sample, unmoved, r.mixed, r.out.begin(), 1000, 1),
    ROW(gather, unmoved, r.mixed, r.order, r.out.begin()),
    ROW(scatter, unmoved, r.mixed, r.order, r.out.begin()),
    ROW(transpose, unmoved, r.mixed, 50, 60, r.out.begin()),
    ROW(flatten, unmoved, r.rows),
    ROW(to_vector, unmoved, r.mixed),
    ROW(fill_n, anything, r.out.begin(), n, r.odd_one[0]),
};

// What happens in moves may lose elements, but leaks none.
const row moves[] = {
    ROW(move, anything, r.mixed, r.out.begin()),
    ROW(swap_ranges, anything, r.mixed, r.sorted),
    ROW(rotate, anything, r.mixed, MIDDLE(mixed)),
    ROW(shift_left, anything, r.mixed, 77),
    ROW(shift_right, anything, r.mixed, 77),
    ROW(reverse, anything, r.mixed),
    ROW(shuffle, anything, r.mixed, 1),
    ROW(remove_if, anything, r.mixed, odd),
    ROW(partial_sort, anything, r.mixed, MIDDLE(mixed), less),
    ROW(inplace_merge, anything, r.halves, r.halves.end() - n / 3, less),
    ROW(stable_partition, anything, r.mixed, odd),
    ROW(sort_by_cached_key, anything, r.mixed, key),
    ROW(group_by, anything, things(r.mixed), key),
};

enum class end : unsigned char { returned, failed, cancelled };

// Calls the row's algorithm, with an event at the k-th strain.
end run(const row& what, event e, long k, bool in_moves, const ranges& before) {
  ranges r = before;
  fate f;
  f.left = k, f.what = e, f.in_moves = in_moves;
  end how = end::returned;
  now = &f;
  try {
    what.call(r, f.stop.get_token());
  } catch (const failure&) {
    how = end::failed;
  } catch (const heist::cancelled&) {
    how = end::cancelled;
  }
  now = nullptr;
  EXPECT_EQ(thing::live, before.size() + r.size());
  EXPECT_EQ(how == end::failed, e == event::failure && f.left < 1 && how != end::returned);
  if (e == event::nothing) {
    EXPECT_EQ(how, end::returned);
  }
  if (how != end::returned && what.after != left::anything) {
    EXPECT_TRUE(places(r.mixed) == places(before.mixed) && places(r.halves) == places(before.halves));
    EXPECT_TRUE(unmoved(r.sorted, before.sorted) && unmoved(r.evens, before.evens));
    if (what.after == left::unmoved) {
      EXPECT_TRUE(unmoved(r.mixed, before.mixed));
    }
  }
  return how;
}

class every_moment : public testing::TestWithParam<std::pair<row, bool>> {};
std::vector<std::pair<row, bool>> all_rows() {
  std::vector<std::pair<row, bool>> all;
  for (const row& r : callbacks) all.emplace_back(r, false);
  for (const row& r : moves) all.emplace_back(r, true);
  return all;
}
INSTANTIATE_TEST_SUITE_P(of, every_moment, testing::ValuesIn(all_rows()), [](const auto& each) {
  return std::string(each.param.first.name) + (each.param.second ? "_in_moves" : "");
});

TEST_P(every_moment, may_throw) {
  const auto& [what, in_moves] = GetParam();
  const ranges before;
  in_every_pool([&](heist::pool&) {
    run(what, event::nothing, 0, in_moves, before);
    for (const long k : {1, 2, 60, 700, 2900, 20'000}) {
      const end how = run(what, event::failure, k, in_moves, before);
      EXPECT_NE(how, end::cancelled);
      if (k == 1) {
        EXPECT_EQ(how, end::failed);
      }
    }
  });
}

TEST_P(every_moment, may_be_a_stop) {
  const auto& [what, in_moves] = GetParam();
  const ranges before;
  in_every_pool([&](heist::pool&) {
    for (const long k : {1, 60, 700, 2900}) EXPECT_NE(run(what, event::stop, k, in_moves, before), end::failed);
    ranges r = before;
    EXPECT_THROW(what.call(r, heist_test::stopped()), heist::cancelled);
  });
}

}  // namespace
