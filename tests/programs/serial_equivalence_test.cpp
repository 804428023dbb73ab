// One battery for every flavour of pool: each program gives the serial program's answer, whoever steals what.

#include "tests/join/support.hpp"
#include "tests/programs/programs.hpp"

#include <heist/fence/fence.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace heist_test;
using namespace programs;

// As they come; or tireless, among programs that dawdle: many more steals; or likewise, and they take half.
enum class thieves { usual, keen, taking_half };

using flavour = std::tuple<unsigned, heist::fences, thieves>;  // of so many workers

std::string name_of(const testing::TestParamInfo<flavour>& info) {
  constexpr const char* how[] = {"", "_keen", "_taking_half"};
  constexpr const char* kinds[] = {"automatic", "asymmetric", "symmetric"};
  return std::to_string(std::get<0>(info.param)) + "_workers_" + kinds[static_cast<int>(std::get<1>(info.param))] +
         how[static_cast<int>(std::get<2>(info.param))];
}

class a_pool : public testing::TestWithParam<flavour> {
 protected:
  void SetUp() override {
    if (fences() == heist::fences::asymmetric && !heist::detail::enable_heavy_fence())
      GTEST_SKIP() << "this kernel has no membarrier";
    heist::options o{.workers = workers(), .stack_size = 256 * 1024, .fences = fences()};
    dawdling = std::get<2>(GetParam()) != thieves::usual;
    if (std::get<2>(GetParam()) == thieves::taking_half) o.steal = heist::steal::half;
    if (dawdling) {
      o.search_time = std::chrono::milliseconds(1);
      o.most_backoff = 0;
    }
    pool_.emplace(o);
  }

  unsigned workers() const { return std::get<0>(GetParam()); }
  heist::fences fences() const { return std::get<1>(GetParam()); }

  // Every round is a root of its own. `f` gets the round's number.
  template <class F>
  void repeat(int n, F&& f) {
    for (int i = 0; i < rounds(n) && !HasFatalFailure(); ++i) pool_->run([&] { f(i); });
    // Nobody to steal from one worker; nobody is parked for good.
    const heist::statistics s = pool_->stats();
    EXPECT_EQ(s.suspends, s.resumes);
    EXPECT_TRUE(workers() > 1 || s.steals == 0);
    steals_ += s.steals;
    RecordProperty("steals", std::to_string(s.steals));
  }

  // A battery in which nobody stole has shown nothing.
  static void TearDownTestSuite() { EXPECT_GT(steals_, 0u); }

 private:
  static inline std::size_t steals_ = 0;
  std::optional<heist::pool> pool_;
};

INSTANTIATE_TEST_SUITE_P(by_default, a_pool,
                         testing::Combine(testing::Values(1u, 2u, 8u), testing::Values(heist::fences::automatic),
                                          testing::Values(thieves::usual)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(of, a_pool,
                         testing::Combine(testing::Values(1u, 2u, 8u, 64u),
                                          testing::Values(heist::fences::asymmetric, heist::fences::symmetric),
                                          testing::Values(thieves::usual, thieves::keen, thieves::taking_half)),
                         name_of);

TEST_P(a_pool, adds_fibonacci_numbers_as_the_serial_program_does) {
  repeat(600, [](int i) { ASSERT_EQ(programs::fib(10 + i % 8), fib_serial(10 + i % 8)); });
}

TEST_P(a_pool, places_queens_as_the_serial_program_does) {
  std::vector<boards> expected(8);
  for (int size = 1; size < 8; ++size) queens_serial({.size = size}, expected[static_cast<std::size_t>(size)]);
  ASSERT_EQ(expected[7].size(), 40u);
  repeat(300, [&](int i) {
    const int size = 4 + i % 4;
    ASSERT_EQ(queens({.size = size}, 0, size), expected[static_cast<std::size_t>(size)]);
  });
}

TEST_P(a_pool, searches_unbalanced_trees_as_the_serial_program_does) {
  repeat(100, [](int i) {
    const tree_node root{static_cast<std::uint64_t>(i), 0};
    ASSERT_EQ(search(root), search_serial(root));
  });
}

TEST_P(a_pool, multiplies_matrices_as_the_serial_program_does) {
  constexpr std::size_t n = 16;
  std::vector<double> a(n * n), b(n * n), serial(n * n);
  for (std::size_t i = 0; i < n * n; ++i) {
    a[i] = 1.0 / static_cast<double>(i + 1);
    b[i] = 3.0 - 1.0 / static_cast<double>(2 * i + 1);
  }
  add_product_serial({serial.data(), n, n}, {a.data(), n, n}, {b.data(), n, n});
  repeat(150, [&](int) {
    std::vector<double> c(n * n);
    add_product({c.data(), n, n}, {a.data(), n, n}, {b.data(), n, n});
    ASSERT_EQ(c, serial);  // every bit
  });
}

TEST_P(a_pool, spawns_in_a_loop_as_the_serial_program_calls) {
  repeat(300, [](int i) {
    const auto n = static_cast<std::size_t>(100 + 3 * i);
    ASSERT_EQ(spawn_loop(n), loop_serial(n));
  });
}

TEST_P(a_pool, spawns_later_in_a_loop_as_the_serial_program_calls) {
  repeat(300, [](int i) {
    const auto n = static_cast<std::size_t>(100 + 7 * i);
    ASSERT_EQ(spawn_later_loop(n), loop_serial(n));
  });
}

TEST_P(a_pool, counts_as_the_serial_program_does) {
  repeat(300, [](int i) {
    const auto n = static_cast<std::size_t>(100 + 3 * i);
    ASSERT_EQ(counted_loop(n), loop_serial(n));
  });
}

// All of them as branches of one join, so that thieves meet every kind of job in one deque.
TEST_P(a_pool, runs_all_the_programs_at_once) {
  boards four;
  queens_serial({.size = 6}, four);
  repeat(150, [&](int i) {
    const tree_node root{static_cast<std::uint64_t>(1000 + i), 0};
    const auto [f, q, t, s, l, c] =
        heist::join([] { return programs::fib(12); }, [] { return queens({.size = 6}, 0, 6); }, [=] { return search(root); },
                    [] { return spawn_loop(200); }, [] { return spawn_later_loop(200); }, [] { return counted_loop(200); });
    ASSERT_EQ(f, 144);
    ASSERT_EQ(q, four);
    ASSERT_EQ(t, search_serial(root));
    ASSERT_EQ(s, loop_serial(200));
    ASSERT_EQ(l, loop_serial(200));
    ASSERT_EQ(c, loop_serial(200));
  });
}

}  // namespace
