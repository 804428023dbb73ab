// What sorting and filtering allocate: this program counts every byte that is alive.

#include "tests/algorithms/items.hpp"

#include <heist/filter.hpp>
#include <heist/partition.hpp>
#include <heist/sort.hpp>

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <tuple>

namespace {

std::atomic<std::size_t> live{0}, peak{0};

void* counted(std::size_t size) {
  void* const p = std::malloc(size);
  if (p == nullptr) throw std::bad_alloc();
  const std::size_t now = live += ::malloc_usable_size(p);
  std::size_t seen = peak.load();
  while (now > seen && !peak.compare_exchange_weak(seen, now)) {
  }
  return p;
}

void uncounted(void* p) noexcept {
  if (p != nullptr) live -= ::malloc_usable_size(p);
  std::free(p);
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void operator delete(void* p) noexcept { uncounted(p); }
void operator delete[](void* p) noexcept { uncounted(p); }
void operator delete(void* p, std::size_t) noexcept { uncounted(p); }
void operator delete[](void* p, std::size_t) noexcept { uncounted(p); }

namespace {

using namespace heist_test;

constexpr std::size_t n = 300'000;
constexpr std::size_t whole = n * sizeof(item);
constexpr std::size_t slack = 64 << 10;  // the pool's own, and allocation's rounding

// The most bytes alive at once during f, above what was before.
template <class F>
std::size_t added(F&& f) {
  const std::size_t before = live.load();
  peak = before;
  f();
  EXPECT_LE(live.load(), before + slack);
  return peak.load() - before;
}

// The least of three times: a caller that finds no vacant seat gets a new one, once.
template <class F>
std::size_t least_added(F&& f) {
  return std::min({added(f), added(f), added(f)});
}

constexpr auto by_key = [](const item& a, const item& b) { return a.key < b.key; };
constexpr auto even = [](const item& i) { return i.key % 2 == 0; };
constexpr auto rarely = [](const item& i) { return i.key % 1000 == 0; };

TEST(memory, of_sort_is_next_to_nothing_and_of_stable_sort_one_buffer) {
  in_every_pool([](heist::pool&) {
    for (const shape s : {shape::random, shape::few, shape::reversed, shape::organ_pipe}) {
      std::vector<item> v = items(n, s);
      EXPECT_LE(added([&] { heist::sort(v.begin(), v.end(), by_key); }), whole / 100 + slack);
      v = items(n, s);
      EXPECT_LE(added([&] { heist::nth_element(v.begin(), v.begin() + n / 2, v.end(), by_key); }), whole / 100 + slack);
      v = items(n, s);
      const std::size_t most = added([&] { heist::stable_sort(v.begin(), v.end(), by_key); });
      EXPECT_LE(most, whole + slack);
      EXPECT_GE(most, whole);  // or nothing is counted here
    }
  });
}

TEST(memory, of_filters_is_a_bit_an_element_and_at_most_an_eighth_more) {
  static constexpr std::size_t marks = n / 8 + n / 128 + slack;
  in_every_pool([](heist::pool&) {
    const std::vector<item> in = items(n, shape::random);
    std::vector<item> v = in, out(n);
    EXPECT_LE(added([&] { heist::copy_if(in.begin(), in.end(), out.begin(), even); }), marks);
    EXPECT_LE(added([&] { std::ignore = heist::remove_if(v.begin(), v.end(), even); }), marks + whole / 8);
    v = in;
    EXPECT_LE(added([&] { std::ignore = heist::remove_if(v.begin(), v.end(), rarely); }), marks + whole / 8);
    v = in;
    EXPECT_LE(added([&] { std::ignore = heist::unique(v.begin(), v.end(), std::equal_to<>(), &item::key); }), marks + whole / 8);
    v = in;
    EXPECT_LE(added([&] { heist::partition(v.begin(), v.end(), even); }), whole / 100 + slack);
    v = in;
    const std::size_t others = n - static_cast<std::size_t>(std::count_if(in.begin(), in.end(), even));
    EXPECT_LE(added([&] { heist::stable_partition(v.begin(), v.end(), even); }),
              marks + others * sizeof(item) + whole / 8);
  });
}

TEST(memory, of_small_ranges_is_the_frames) {
  in_every_pool([](heist::pool&) {
    std::vector<item> v = items(1000, shape::random), out(1000);
    EXPECT_EQ(least_added([&] { heist::copy_if(v.begin(), v.end(), out.begin(), even); }), 0u);
    EXPECT_EQ(least_added([&] { std::ignore = heist::remove_if(v.begin(), v.end(), even); }), 0u);
    EXPECT_EQ(least_added([&] { heist::sort(v.begin(), v.end(), by_key); }), 0u);
    EXPECT_EQ(least_added([&] { heist::partition(v.begin(), v.end(), even); }), 0u);
  });
}

}  // namespace
