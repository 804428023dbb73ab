#include "tests/join/support.hpp"

#include <any>
#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace {

using namespace heist_test;

// What it returns --------------------------------------------------------------------------------------------------

TEST(a_join, needs_no_set_up) {
  const auto [a, b] = heist::join([] { return 1; }, [] { return 2; });
  EXPECT_EQ(a + b, 3);
}

TEST(a_join, returns_the_results_in_the_order_written) {
  const auto [a, b, c, d] = heist::join([] { return 1; }, [] { return std::string("two"); }, [] { return 3.0; },
                                        [] { return 'd'; });
  EXPECT_EQ(a, 1);
  EXPECT_EQ(b, "two");
  EXPECT_EQ(c, 3.0);
  EXPECT_EQ(d, 'd');
}

template <std::size_t... I>
void join_many(std::index_sequence<I...>) {
  const auto results = heist::join([] { return I * I; }...);
  static_assert(std::tuple_size_v<decltype(results)> == sizeof...(I));
  EXPECT_EQ(results, std::tuple(I * I...));
}

TEST(a_join, of_many_takes_constant_results) {
  struct number {
    int n;
  };
  const auto [a, b, c] = heist::join([]() -> const number { return {1}; }, [] { return 2; }, []() -> const number { return {3}; });
  EXPECT_EQ(a.n + b + c.n, 6);
}

TEST(a_join, has_as_many_branches_as_wanted) {
  join_many(std::make_index_sequence<2>());
  join_many(std::make_index_sequence<3>());
  join_many(std::make_index_sequence<7>());
  join_many(std::make_index_sequence<32>());
  heist::pool p({.workers = 3});
  for (int i = 0; i < rounds(500); ++i) p.run([] { join_many(std::make_index_sequence<9>()); });
}

TEST(a_join, gives_monostate_for_a_void_branch_and_nothing_if_all_are_void) {
  auto nothing = [] {};
  auto one = [] { return 1; };
  static_assert(std::is_same_v<decltype(heist::join(nothing, one)), std::tuple<std::monostate, int>>);
  static_assert(std::is_same_v<decltype(heist::join(one, nothing, nothing)), std::tuple<int, std::monostate, std::monostate>>);
  static_assert(std::is_void_v<decltype(heist::join(nothing, nothing))>);
  static_assert(std::is_void_v<decltype(heist::join(nothing, nothing, nothing))>);
  EXPECT_EQ(heist::join(nothing, one), std::tuple(std::monostate{}, 1));
  EXPECT_EQ(heist::default_pool().run([&] { return heist::join(one, nothing, nothing); }),
            std::tuple(1, std::monostate{}, std::monostate{}));
}

TEST(a_join, does_not_unwrap_results_that_are_tuples_themselves) {
  heist::default_pool().run([] {
    const auto both = heist::join([] { return std::tuple(1); }, [] { return std::tuple(2, 3); });
    static_assert(std::is_same_v<decltype(both), const std::tuple<std::tuple<int>, std::tuple<int, int>>>);
    EXPECT_EQ(both, std::tuple(std::tuple(1), std::tuple(2, 3)));
    const auto three = heist::join([] { return std::any(1); }, [] { return std::any(2); }, [] { return std::any(3); });
    EXPECT_EQ(std::any_cast<int>(std::get<0>(three)), 1);
    EXPECT_EQ(std::any_cast<int>(std::get<2>(three)), 3);
  });
}

TEST(a_join, calls_whatever_can_be_called) {
  struct functor {
    int operator()() & { return 1; }
    int operator()() && { return 2; }
  };
  functor f;
  heist::default_pool().run([&] {
    EXPECT_EQ(heist::join(f, functor{}), std::tuple(1, 2));
    EXPECT_EQ(heist::join(functor{}, f), std::tuple(2, 1));
  });
  EXPECT_EQ(heist::join(f, functor{}), std::tuple(1, 2));
  EXPECT_EQ(heist::join(+[] { return 5; }, std::function<int()>([] { return 6; })), std::tuple(5, 6));
}

// What it does with closures and results, stolen or not -------------------------------------------------------------

class a_scheduled_join : public scheduled {};
INSTANTIATE_TEST_SUITE_P(all, a_scheduled_join, every_schedule, schedule_name);

TEST_P(a_scheduled_join, steals_when_it_is_told_to) {
  std::thread::id left, right;
  run([&] {
    join([&] { left = this_thread(); }, [&] { right = this_thread(); });
  });
  EXPECT_EQ(left == right, alone());
  EXPECT_EQ(pool().stats().steals == 0, alone());
}

TEST_P(a_scheduled_join, carries_results_that_can_only_be_moved) {
  run([&] {
    auto [a, b] = join([] { return std::make_unique<int>(1); }, [] { return std::make_unique<int>(2); });
    EXPECT_EQ(*a, 1);
    EXPECT_EQ(*b, 2);
  });
}

TEST_P(a_scheduled_join, carries_results_without_a_default_constructor_and_leaks_none) {
  static_assert(!std::is_default_constructible_v<counted> && !std::is_copy_constructible_v<counted>);
  run([&] {
    auto [a, b] = join([] { return counted(1); }, [] { return counted(2); });
    EXPECT_EQ(a.value, 1);
    EXPECT_EQ(b.value, 2);
    EXPECT_EQ(counted::live(), 2);
  });
  EXPECT_EQ(counted::live(), 0);
}

TEST_P(a_scheduled_join, calls_closures_that_can_only_be_moved) {
  run([&] {
    auto left = [p = std::make_unique<int>(1)] { return *p; };
    auto right = [p = std::make_unique<int>(2)] { return *p; };
    // As lvalues, twice: they stay with the caller.
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(join([&left] { return left(); }, [&right] { return right(); }), std::tuple(1, 2));
    EXPECT_EQ(heist::join(left, right), std::tuple(1, 2));
    EXPECT_EQ(heist::join(std::move(left), std::move(right)), std::tuple(1, 2));
    EXPECT_EQ(heist::join([p = std::make_unique<int>(3)] { return *p; }, [p = std::make_unique<int>(4)] { return *p; },
                          [p = std::make_unique<int>(5)] { return *p; }),
              std::tuple(3, 4, 5));
  });
}

TEST(a_join, has_its_move_only_closures_called_by_thieves) {
  heist::pool p({.workers = 2});
  for (int i = 0; i < rounds(300); ++i) {
    p.run([] {
      event taken;
      const auto [a, b] = heist::join(
          [c = counted(1), &taken] {
            EXPECT_TRUE(taken.come());
            return c.value;
          },
          [c = counted(2), three = std::make_unique<int>(3), &taken] {
            taken.raise();
            return c.value + *three;
          });
      EXPECT_EQ(a, 1);
      EXPECT_EQ(b, 5);
    });
    ASSERT_EQ(counted::live(), 0);
  }
}

template <std::size_t Bytes>
struct block {
  std::array<unsigned char, Bytes> bytes;
  block() { std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(1)); }
  long sum() const { return std::accumulate(bytes.begin(), bytes.end(), 0L); }
};

template <std::size_t Bytes>
void join_blocks(heist::pool& p, event& taken) {
  p.run([&] {
    const block<Bytes> data;
    const long expected = data.sum();
    // The second branch is a closure of its own size, taken by a thief.
    auto [a, b] = heist::join(
        [data, &taken] {
          EXPECT_TRUE(taken.come());
          return data.sum();
        },
        [data, &taken] {
          taken.raise();
          return data.sum();
        });
    EXPECT_EQ(a, expected);
    EXPECT_EQ(b, expected);
    const auto back = heist::join([data] { return data; }, [data] { return data; }, [data] { return data; });
    EXPECT_EQ(std::get<0>(back).bytes, data.bytes);
    EXPECT_EQ(std::get<2>(back).bytes, data.bytes);
  });
}

TEST(a_join, takes_closures_and_results_of_any_size) {
  heist::pool p({.workers = 2});
  for (int i = 0; i < rounds(100); ++i) {
    event a, b, c, d, e;
    join_blocks<1>(p, a);
    join_blocks<48>(p, b);
    join_blocks<64>(p, c);
    join_blocks<65>(p, d);
    join_blocks<20'000>(p, e);
  }
}

TEST_P(a_scheduled_join, takes_lvalue_functors_by_reference) {
  struct functor {
    functor() = default;
    functor(const functor&) { ADD_FAILURE() << "copied"; }
    int operator()() { return ++calls; }
    int calls = 0;
  };
  run([&] {
    functor f, g;
    join([&] { return heist::join(f, g); }, [] {});
    join([] {}, [&] { return heist::join(f, g); });
    EXPECT_EQ(f.calls, 2);
    EXPECT_EQ(g.calls, 2);
  });
  functor f, g;
  heist::join(f, g, [] {});  // from outside
  EXPECT_EQ(f.calls, 1);
  EXPECT_EQ(g.calls, 1);
}

// A small trivially copyable functor may be copied into the frame, but a named one is the caller's.
TEST(a_join, lets_small_lvalue_functors_keep_what_they_wrote) {
  struct tally {
    int calls = 0;
    void operator()() { ++calls; }
  };
  heist::pool p({.workers = 2});
  tally f, g;
  const int n = rounds(5000);
  p.run([&] {
    for (int i = 0; i < n; ++i) heist::join(f, g);
  });
  EXPECT_EQ(f.calls, n);
  EXPECT_EQ(g.calls, n);
}

TEST(a_join, destroys_its_closures_exactly_once) {
  heist::pool p({.workers = 2});
  for (int i = 0; i < rounds(1000); ++i) {
    p.run([] {
      heist::join([c = counted(1)] { EXPECT_EQ(c.value, 1); }, [c = counted(2)] { EXPECT_EQ(c.value, 2); },
                  [c = counted(3)] { EXPECT_EQ(c.value, 3); });
    });
    ASSERT_EQ(counted::live(), 0);
  }
}

// Where it runs and in which order ----------------------------------------------------------------------------------

TEST(a_join, runs_its_branches_in_the_order_written_on_one_worker) {
  heist::pool p({.workers = 1});
  std::string order;
  p.run([&] {
    heist::join([&] { order += 'a'; }, [&] { heist::join([&] { order += 'b'; }, [&] { order += 'c'; }); },
                [&] { order += 'd'; }, [&] { order += 'e'; });
    order += 'f';
  });
  EXPECT_EQ(order, "abcdef");
  EXPECT_EQ(p.stats().steals, 0u);
}

TEST(a_join, returns_on_the_calling_thread_from_outside) {
  for (int i = 0; i < rounds(500); ++i) {
    const std::thread::id me = this_thread();
    event taken;
    heist::join([&] { EXPECT_TRUE(heist::default_pool().workers() == 1 || taken.come()); }, [&] { taken.raise(); });
    ASSERT_EQ(this_thread(), me);
    EXPECT_THROW(heist::join([] {}, [] { throw failure(1); }), failure);
    ASSERT_EQ(this_thread(), me);
  }
}

TEST(a_join, returns_on_the_calling_thread_from_pool_run) {
  heist::pool p({.workers = 2});
  const std::thread::id me = this_thread();
  int moved = 0;
  for (int i = 0; i < rounds(500); ++i) {
    const std::size_t before = p.stats().suspends;
    std::thread::id after;
    p.run([&] {
      event taken;
      heist::join([&] { EXPECT_TRUE(taken.come()); },
                  [&] {
                    taken.raise();
                    EXPECT_TRUE(eventually([&] { return p.stats().suspends > before; }));
                  });
      after = this_thread();
    });
    moved += after != me ? 1 : 0;
    ASSERT_EQ(this_thread(), me);
  }
  RecordProperty("moved", moved);  // whether anything moved is the schedule's luck; what must hold is checked above
}

TEST(a_pool, calls_a_function_directly_when_run_inside_itself) {
  heist::pool p({.workers = 2});
  p.run([&] {
    const std::thread::id here = this_thread();
    const char local = 0;
    // The same stack: a few frames away.
    const auto distance = p.run([&] {
      EXPECT_EQ(this_thread(), here);
      const char inner = 0;
      return std::abs(reinterpret_cast<std::intptr_t>(&inner) - reinterpret_cast<std::intptr_t>(&local));
    });
#if !defined(HEIST_ASAN)  // whose locals are elsewhere
    EXPECT_LT(distance, 64 * 1024);
#else
    static_cast<void>(distance);
#endif
    EXPECT_EQ(p.run([] { return std::make_unique<int>(7); }).operator*(), 7);
    EXPECT_THROW(p.run([] { throw failure(1); }), failure);
    int x = 0;
    EXPECT_EQ(&x, p.run([&x] { return &x; }));
  });
}

// Nested ------------------------------------------------------------------------------------------------------------

// The sum of [first, last), in joins of two and three that return and write.
long sum(long first, long last) {
  if (last - first <= 1) return last - first == 1 ? first : 0;
  const long n = last - first;
  if (n % 3 != 0) {
    const auto [a, b] = heist::join([=] { return sum(first, first + n / 2); }, [=] { return sum(first + n / 2, last); });
    return a + b;
  }
  long written = 0;
  const auto [a, b, nothing] = heist::join([=] { return sum(first, first + n / 3); },
                                           [=] { return sum(first + n / 3, first + 2 * n / 3); },
                                           [=, &written] { written = sum(first + 2 * n / 3, last); });
  static_cast<void>(nothing);
  return a + b + written;
}

TEST(a_join, nests_on_every_pool) {
  for (const unsigned workers : {1u, 2u, 3u, 8u}) {
    heist::pool p({.workers = workers});
    for (int i = 0; i < rounds(300); ++i) ASSERT_EQ(p.run([=] { return sum(0, 700 + i); }), (700L + i) * (699 + i) / 2);
  }
}

// Deeper than the deque's first ring.
long chain(int depth) {
  if (depth == 0) return 0;
  const auto [a, b] = heist::join([=] { return chain(depth - 1); }, [] { return 1L; });
  return a + b;
}

TEST(a_join, nests_deeper_than_the_first_ring_of_the_deque) {
  for (const unsigned workers : {1u, 2u, 8u}) {
    heist::pool p({.workers = workers});
    for (int i = 0; i < rounds(100); ++i) ASSERT_EQ(p.run([] { return chain(3000); }), 3000);
  }
}

// A strand that waits for another pool in the middle of a join must find its own branches afterwards, and nobody else's.
TEST(a_join, keeps_its_branches_when_one_of_them_calls_another_pool) {
  for (const unsigned workers : {1u, 2u, 8u}) {
    heist::pool p({.workers = workers}), q({.workers = 6});  // four callers, and thieves
    for (int i = 0; i < rounds(500) && !testing::Test::HasFailure(); ++i) {
      std::atomic<int> runs[8]{};
      // The first branch of each pair waits while the second lies in the deque.
      auto pair = [&](int k) {
        heist::join(
            [&, k] {
              // Stolen there, so that the caller has to wait.
              q.run([] {
                event taken;
                heist::join([&] { EXPECT_TRUE(taken.come()); },
                            [&] {
                              taken.raise();
                              for (int turn = 0; turn < 20; ++turn) std::this_thread::yield();
                            });
              });
              ++runs[k];
            },
            [&, k] { ++runs[k + 1]; });
      };
      p.run([&] { heist::join([&] { pair(0); }, [&] { pair(2); }, [&] { pair(4); }, [&] { pair(6); }); });
      for (const auto& r : runs) ASSERT_EQ(r.load(), 1);
    }
  }
}

// A join in a flat loop: the last element is fought over each time.
TEST(a_join, gives_each_branch_once_in_a_flat_loop) {
  for (const heist::fences fences : {heist::fences::automatic, heist::fences::asymmetric, heist::fences::symmetric}) {
    heist::pool p({.workers = 3, .fences = fences});
    const int n = rounds(200'000);
    const long total = p.run([=] {
      long all = 0;
      for (int i = 0; i < n; ++i) {
        const auto [a, b] = heist::join([] { return 1L; }, [] { return 2L; });
        all += a + b;
      }
      return all;
    });
    EXPECT_EQ(total, 3L * n);
  }
}

}  // namespace
