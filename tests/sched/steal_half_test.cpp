// options::steal: programs give the same answers, and nothing that was stolen along with something else is forgotten: not when
// its thief works on, waits, or is sent away.

#include "tests/join/support.hpp"

#include <heist/heist.hpp>
#include <heist/sched/scheduler.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace {

using heist_test::eventually;
using heist_test::rounds;

heist::options options(unsigned workers, heist::steal how, heist::fences fences = heist::fences::automatic) {
  heist::options o;
  o.workers = workers;
  o.steal = how;
  o.fences = fences;
  o.search_time = std::chrono::milliseconds(1);
  o.most_backoff = 0;
  return o;
}

// Workers, how much thieves take, and what owners share.
using flavour = std::tuple<unsigned, heist::steal, heist::fences>;

class a_pool : public testing::TestWithParam<flavour> {
 protected:
  heist::pool pool{std::apply(options, GetParam())};

  void TearDown() override {
    const heist::statistics s = pool.stats();
    EXPECT_EQ(s.suspends, s.resumes);
    EXPECT_FALSE(heist::detail::scheduler_of(pool).stocked.any());
    EXPECT_TRUE(std::get<1>(GetParam()) == heist::steal::half || s.stolen_along == 0);
  }
};

INSTANTIATE_TEST_SUITE_P(of, a_pool,
                         testing::Combine(testing::Values(1u, 2u, 8u), testing::Values(heist::steal::one, heist::steal::half),
                                          testing::Values(heist::fences::automatic, heist::fences::symmetric)),
                         [](const testing::TestParamInfo<flavour>& i) {
                           return std::to_string(std::get<0>(i.param)) +
                                  (std::get<1>(i.param) == heist::steal::half ? "_half" : "_one") +
                                  (std::get<2>(i.param) == heist::fences::symmetric ? "_symmetric" : "");
                         });

TEST_P(a_pool, runs_each_child_of_a_burst_once) {
  for (int round = 0; round < rounds(40); ++round) {
    std::vector<std::atomic<int>> ran(700);
    pool.run([&] {
      heist::scope s;
      for (auto& r : ran)
        s.spawn_later([&r] {
          heist_test::fib(5);
          ++r;
        });
    });
    for (const auto& r : ran) ASSERT_EQ(r, 1);
  }
}

TEST_P(a_pool, folds_in_serial_order) {
  std::vector<int> v(20'000);
  std::iota(v.begin(), v.end(), 0);
  auto append = [](std::string a, const std::string& b) { return a + b; };
  std::string serial;
  for (const int i : v) serial += std::to_string(i % 7);
  for (int round = 0; round < rounds(20); ++round)
    ASSERT_EQ(pool.run([&] {
      return heist::transform_reduce(v, std::string(), append, [](int i) { return std::to_string(i % 7); });
    }),
              serial);
}

TEST_P(a_pool, keeps_the_first_exception_in_serial_order) {
  for (int round = 0; round < rounds(100); ++round) {
    std::string what;
    try {
      pool.run([&] {
        heist::scope s;
        for (int i = 0; i < 60; ++i)
          s.spawn_later([=] {
            heist_test::fib(4);
            if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
          });
      });
    } catch (const std::runtime_error& e) {
      what = e.what();
    }
    ASSERT_EQ(what, "7");
  }
}

TEST_P(a_pool, gives_each_job_the_mode_of_its_root) {
  constexpr int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (const int mode : modes)
    callers.emplace_back([&, mode] {
      std::fesetround(mode);
      for (int round = 0; round < rounds(30); ++round)
        pool.run([&] {
          heist::scope s;
          for (int i = 0; i < 40; ++i)
            s.spawn_later([&] {
              heist_test::fib(5);
              wrong += std::fegetround() != mode;
            });
        });
      std::fesetround(FE_TONEAREST);
    });
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(wrong, 0);
}

// One measured root beside one that is not: what is stolen along from either counts for its own.
TEST_P(a_pool, measures_what_was_stolen_along) {
  for (int round = 0; round < rounds(10); ++round) {
    std::thread other([&] { pool.run([] { heist_test::fib(14); }); });
    std::atomic<int> n{0};
    const heist::measurement m = pool.run([&] {
      return heist::measure([&] {
        heist::scope s;
        for (int i = 0; i < 100; ++i) s.spawn_later([&] { n += static_cast<int>(heist_test::fib(6)); });
      });
    });
    other.join();
    EXPECT_EQ(n, 800);
    EXPECT_EQ(m.forks, 100u + 100u * 12u);
  }
}

// A child that is in a stock is wanted before its thief has ended what it runs.
TEST_P(a_pool, begins_what_a_busy_thief_has_stolen_along) {
  const unsigned n = std::get<0>(GetParam());
  for (int round = 0; round < rounds(50); ++round) {
    std::atomic<unsigned> begun{0};
    pool.run([&] {
      heist::scope s;
      for (unsigned i = 0; i < 4 * n; ++i)
        s.spawn_later([&] {
          ++begun;
          EXPECT_TRUE(eventually([&] { return begun >= n; }));
        });
    });
    ASSERT_EQ(begun, 4 * n);
  }
}

// Each waits for the next, which its own thread may have in its stock.
TEST_P(a_pool, begins_what_a_thief_that_waits_has_stolen_along) {
  for (int round = 0; round < rounds(50); ++round) {
    constexpr std::size_t n = 50;
    std::vector<heist::promise<int>> said(n + 1);
    std::vector<heist::future<int>> heard;
    for (auto& p : said) heard.push_back(p.get_future());
    said[n].set_value(7);
    std::atomic<int> ended{0};
    pool.run([&] {
      heist::scope s;
      for (std::size_t i = 0; i < n; ++i)
        s.spawn_later([&, i] {
          said[i].set_value(heard[i + 1].get());
          ++ended;
        });
    });
    ASSERT_EQ(ended, static_cast<int>(n));
    ASSERT_EQ(heard[0].get(), 7);
  }
}

TEST_P(a_pool, begins_what_a_thief_that_is_sent_away_has_stolen_along) {
  std::atomic<bool> over{false};
  std::thread changer([&] {
    for (unsigned i = 0; !over; ++i) {
      pool.resize(1 + i % 5);
      std::this_thread::yield();
    }
  });
  for (int round = 0; round < rounds(100); ++round) {
    std::atomic<int> ran{0};
    pool.run([&] {
      heist::scope s;
      for (int i = 0; i < 100; ++i)
        s.spawn_later([&] {
          heist_test::fib(6);
          ++ran;
        });
    });
    ASSERT_EQ(ran, 100);
  }
  over = true;
  changer.join();
}

TEST(steal_half, takes_several_at_once) {
  heist::pool pool(options(2, heist::steal::half));
  EXPECT_TRUE(eventually([&] {
    pool.run([] {
      heist::scope s;
      for (int i = 0; i < 500; ++i) s.spawn_later([] { heist_test::fib(12); });
    });
    return pool.stats().stolen_along > 100;
  }));
  const heist::statistics s = pool.stats();
  EXPECT_LT(s.steals, s.stolen_along);
}

TEST(steal_half, is_refused_out_of_range) {
  heist::options o;
  o.steal = static_cast<heist::steal>(2);
  EXPECT_THROW(heist::pool{o}, std::invalid_argument);
}

}  // namespace
