#include "tests/join/support.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace {

using namespace heist_test;

template <class I>
class for_each_index : public testing::Test {};
using integers = testing::Types<signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long,
                                long long, std::size_t, std::ptrdiff_t>;
TYPED_TEST_SUITE(for_each_index, integers);

// How often f was called with each index of [first, last).
template <class I, class... Grain>
void expect_each_once(I first, I last, Grain... g) {
  const auto n = static_cast<std::size_t>(last - first);
  std::vector<std::atomic<int>> calls(n);
  std::atomic<int> strays{0};
  heist::for_each_index(first, last, [&](I i) {
    if (i >= first && i < last)
      ++calls[static_cast<std::size_t>(i - first)];
    else
      ++strays;
  }, g...);
  for (const auto& c : calls) ASSERT_EQ(c.load(), 1);
  ASSERT_EQ(strays.load(), 0);
}

TYPED_TEST(for_each_index, calls_with_every_index_once) {
  using I = TypeParam;
  auto battery = [] {
    for (const int n : {1, 2, 3, 7, 16, 100, 127}) {
      expect_each_once<I>(0, static_cast<I>(n));
      for (const std::size_t size : {0u, 1u, 2u, 3u, 50u, 1000u}) expect_each_once<I>(0, static_cast<I>(n), heist::grain{size});
      expect_each_once<I>(static_cast<I>(n / 2), static_cast<I>(n));
    }
    expect_each_once<I>(static_cast<I>(std::numeric_limits<I>::max() - 100), std::numeric_limits<I>::max());
    expect_each_once<I>(std::numeric_limits<I>::min(), static_cast<I>(std::numeric_limits<I>::min() + 100));
    if constexpr (std::is_signed_v<I>) {
      expect_each_once<I>(-50, 50);
      expect_each_once<I>(-50, -20, heist::grain{1});
    }
    if constexpr (sizeof(I) <= 2) {
      expect_each_once(std::numeric_limits<I>::min(), std::numeric_limits<I>::max());
      expect_each_once(std::numeric_limits<I>::min(), std::numeric_limits<I>::max(), heist::grain{16});
    }
  };
  battery();  // from outside
  for (const unsigned workers : {1u, 2u, 8u}) {
    heist::pool p({.workers = workers});
    for (int i = 0; i < rounds(20); ++i) p.run(battery);
  }
}

TYPED_TEST(for_each_index, does_nothing_for_empty_and_reversed_ranges) {
  using I = TypeParam;
  auto battery = [] {
    auto never = [](I) { ADD_FAILURE() << "called"; };
    heist::for_each_index(I{0}, I{0}, never);
    heist::for_each_index(I{7}, I{7}, never, heist::grain{1});
    heist::for_each_index(I{7}, I{3}, never);
    heist::for_each_index(I{7}, I{3}, never, heist::grain{1});
    heist::for_each_index(std::numeric_limits<I>::max(), std::numeric_limits<I>::min(), never);
  };
  battery();
  heist::default_pool().run(battery);
}

// A range with more indices than the largest of its type: too long to run through, so the first call ends it.
TYPED_TEST(for_each_index, begins_at_the_first_index_of_a_range_wider_than_its_type) {
  using I = TypeParam;
  if constexpr (std::is_signed_v<I> && sizeof(I) >= 4) {
    heist::pool p({.workers = 1});
    I begun = 0;
    EXPECT_EQ(thrower([&] {
      p.run([&] {
        heist::for_each_index(std::numeric_limits<I>::min(), std::numeric_limits<I>::max(), [&](I i) {
          begun = i;
          throw failure(1);
        }, heist::grain{1 << 20});
      });
    }), 1);
    EXPECT_EQ(begun, std::numeric_limits<I>::min());
  }
}

TEST(a_counted_loop, runs_in_order_on_one_worker) {
  heist::pool p({.workers = 1});
  for (const std::size_t size : {1u, 2u, 5u, 1000u}) {
    std::vector<int> seen;
    p.run([&] { heist::for_each_index(0, 100, [&](int i) { seen.push_back(i); }, heist::grain{size}); });
    ASSERT_EQ(seen.size(), 100u);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(seen[static_cast<std::size_t>(i)], i);
  }
}

TEST(a_counted_loop, mixes_integer_types) {
  std::atomic<int> n{0};
  heist::for_each_index(0L, 10, [&](auto i) {
    static_assert(std::is_same_v<decltype(i), long>);
    ++n;
  });
  heist::for_each_index(std::size_t{0}, std::vector<int>(5).size(), [&](std::size_t) { ++n; });
  EXPECT_EQ(n.load(), 15);
}

TEST(a_counted_loop, does_not_copy_its_function) {
  struct functor {
    functor() = default;
    functor(const functor&) { ADD_FAILURE() << "copied"; }
    void operator()(int) const { ++calls; }
    mutable std::atomic<int> calls{0};
  };
  functor f;
  heist::for_each_index(0, 1000, f);
  heist::for_each_index(0, 1000, f, heist::grain{1});
  heist::default_pool().run([&] { heist::for_each_index(0, 1000, f); });
  EXPECT_EQ(f.calls.load(), 3000);
  std::atomic<int> n{0};
  heist::for_each_index(0, 1000, [&n, p = std::make_unique<int>(1)](int) { n += *p; }, heist::grain{1});
  EXPECT_EQ(n.load(), 1000);
}

TEST(a_counted_loop, forks_where_a_grain_says_so_and_not_inside_a_grain) {
  heist::pool p({.workers = 2});
  p.run([] {
    // Two indices that wait for each other must be in different strands.
    std::atomic<int> here{0};
    heist::for_each_index(0, 2, [&](int) {
      ++here;
      EXPECT_TRUE(eventually([&] { return here.load() == 2; }));
    }, heist::grain{1});
  });
  const std::size_t before = p.stats().steals;
  p.run([] {
    const std::thread::id here = this_thread();
    heist::for_each_index(0, 1000, [&](int) { ASSERT_EQ(this_thread(), here); }, heist::grain{1000});
  });
  EXPECT_EQ(p.stats().steals, before);
}

TEST(a_counted_loop, forks_without_a_grain) {
  heist::pool p({.workers = 2});
  p.run([] {
    std::atomic<int> here{0};
    heist::for_each_index(0, 2, [&](int) {
      ++here;
      EXPECT_TRUE(eventually([&] { return here.load() == 2; }));
    });
  });
}

TEST(a_counted_loop, throws_the_first_indexs_exception) {
  for (const unsigned workers : {1u, 2u, 8u}) {
    heist::pool p({.workers = workers});
    for (int i = 0; i < rounds(300); ++i) {
      ASSERT_EQ(thrower([&] {
        p.run([] {
          heist::for_each_index(0, 100, [](int k) {
            if (k >= 60) throw failure(k);
          }, heist::grain{1});
        });
      }), 60);
      ASSERT_EQ(failure::live(), 0);
    }
  }
}

TEST(a_counted_loop, returns_on_the_calling_thread_from_outside) {
  const std::thread::id me = this_thread();
  for (int i = 0; i < rounds(200); ++i) {
    heist::for_each_index(0, 100, [](int) { std::this_thread::yield(); });
    ASSERT_EQ(this_thread(), me);
  }
}

TEST(a_counted_loop, nests) {
  heist::pool p({.workers = 3});
  for (int i = 0; i < rounds(100); ++i) {
    std::vector<std::atomic<int>> cells(30 * 30);
    p.run([&] {
      heist::for_each_index(0, 30, [&](int row) {
        heist::for_each_index(0, 30, [&](int column) { ++cells[static_cast<std::size_t>(row * 30 + column)]; });
      });
    });
    for (const auto& c : cells) ASSERT_EQ(c.load(), 1);
  }
}

TEST(for_each_index, counts_in_the_wider_type) {
  std::atomic<long> calls{0};
  heist::for_each_index(-2, std::size_t{3}, [&](auto i) {
    static_assert(std::is_same_v<decltype(i), std::ptrdiff_t>);
    calls += i >= -2 && i < 3 ? 1 : 100;
  });
  EXPECT_EQ(calls, 5);
  EXPECT_THROW(heist::for_each_index(0, (std::size_t{1} << 32) + 5, [&](std::size_t i) {
    if (i > 100) throw std::out_of_range("as it should");
  }), std::out_of_range);
}

}  // namespace
