// heist::pipeline: every item goes through every stage once; how many at a time, and in which order, the stages say.

#include "tests/waiting/together.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace {

using namespace heist_test;

// The numbers 0 … n - 1, and a witness that it is not called twice at once, nor after its end.
class numbers {
 public:
  explicit numbers(int n) : n_(n) {}
  std::optional<int> operator()() {
    EXPECT_EQ(inside_.fetch_add(1), 0);
    EXPECT_FALSE(ended_);
    const auto now = next_ < n_ ? std::optional(next_++) : std::nullopt;
    ended_ = !now;
    inside_.fetch_sub(1);
    return now;
  }
  int given() const { return next_; }

 private:
  const int n_;
  int next_ = 0;
  bool ended_ = false;
  std::atomic<int> inside_{0};
};

// How many are somewhere, and how many were at most.
class crowd {
 public:
  void come() {
    const int n = ++now_;
    int most = most_;
    while (n > most && !most_.compare_exchange_weak(most, n)) {
    }
  }
  void go() { --now_; }
  int most() const { return most_; }

 private:
  std::atomic<int> now_{0}, most_{0};
};

std::vector<int> up_to(int n) {
  std::vector<int> v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), 0);
  return v;
}

class a_pipeline : public together {};
INSTANTIATE_TEST_SUITE_P(run, a_pipeline, testing::Values(0u, 1u, 2u, 8u), place_name);

TEST_P(a_pipeline, takes_every_item_through_every_stage_once) {
  in_place([] {
    for (const int limit : {1, 2, 3, 16, 1000}) {
      numbers source(rounds(2'000));
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(rounds(2'000)));
      std::atomic<int> bad{0};
      heist::pipeline(
          limit, source, heist::parallel([](int i) { return std::to_string(i); }),
          heist::serial([](std::string s) {
            auto i = std::make_unique<int>();
            std::from_chars(s.data(), s.data() + s.size(), *i);
            return i;
          }),
          heist::parallel([&](std::unique_ptr<int> i) { bad += seen[static_cast<std::size_t>(*i)].fetch_add(1) != 0; }));
      EXPECT_EQ(bad, 0);
      for (const auto& s : seen) ASSERT_EQ(s, 1);
    }
  });
}

TEST_P(a_pipeline, keeps_the_order_in_ordered_stages_whatever_is_between) {
  in_place([] {
    for (const int limit : {1, 2, 5, 64}) {
      const int n = rounds(2'000);
      std::vector<int> first, second;
      heist::pipeline(
          limit, numbers(n), heist::parallel([](int i) {
            if (i % 7 == 0) std::this_thread::yield();
            return i;
          }),
          heist::ordered([&](int i) {
            first.push_back(i);
            return i;
          }),
          heist::serial([](int i) { return i; }), heist::parallel([](int i) {
            if (i % 5 == 0) std::this_thread::yield();
            return i;
          }),
          heist::ordered([&](int i) { second.push_back(i); }));
      ASSERT_EQ(first, up_to(n));
      ASSERT_EQ(second, up_to(n));
    }
  });
}

TEST_P(a_pipeline, lets_one_item_at_a_time_into_serial_and_ordered_stages) {
  in_place([] {
    crowd in_serial, in_ordered;
    long plain = 0;  // only the stage protects it
    const int n = rounds(3'000);
    heist::pipeline(
        16, numbers(n), heist::serial([&](int i) {
          in_serial.come();
          ++plain;
          if (i % 16 == 0) std::this_thread::yield();
          in_serial.go();
          return i;
        }),
        heist::ordered([&](int) {
          in_ordered.come();
          std::this_thread::yield();
          in_ordered.go();
        }));
    EXPECT_EQ(in_serial.most(), 1);
    EXPECT_EQ(in_ordered.most(), 1);
    EXPECT_EQ(plain, n);
  });
}

TEST_P(a_pipeline, has_no_more_items_under_way_than_its_limit) {
  in_place([] {
    for (const int limit : {1, 2, 7}) {
      crowd under_way;
      numbers all(rounds(1'000));
      heist::pipeline(
          limit,
          [&] {
            auto i = all();
            if (i) under_way.come();
            return i;
          },
          heist::parallel([](int i) {
            std::this_thread::yield();
            return i;
          }),
          heist::serial([](int i) {
            std::this_thread::yield();
            return i;
          }),
          heist::parallel([&](int) { under_way.go(); }));
      EXPECT_LE(under_way.most(), limit);
    }
  });
}

TEST_P(a_pipeline, runs_items_of_a_parallel_stage_at_once) {
  if (GetParam() < 2) return;
  in_place([] {
    std::atomic<int> here{0};
    heist::pipeline(2, numbers(2), heist::parallel([&](int) {
                      ++here;
                      EXPECT_TRUE(eventually([&] { return here == 2; }));
                    }));
  });
}

TEST_P(a_pipeline, runs_different_serial_stages_at_once) {
  if (GetParam() < 2) return;
  in_place([] {
    std::atomic<int> first{0};
    heist::pipeline(2, numbers(2), heist::ordered([&](int i) {
                      ++first;
                      return i;
                    }),
                    heist::ordered([&](int i) {
                      if (i == 0) { EXPECT_TRUE(eventually([&] { return first == 2; })); }
                    }));
  });
}

TEST(a_pipeline_alone, runs_in_the_order_of_the_serial_program) {
  heist::pool one({.workers = 1});
  one.run([] {
    std::string log;
    int next = 0;
    heist::pipeline(
        10,
        [&]() -> std::optional<int> {
          log += 's';
          if (next == 3) return std::nullopt;
          return next++;
        },
        heist::parallel([&](int i) {
          log += static_cast<char>('0' + i);
          return i;
        }),
        heist::serial([&](int i) {
          log += static_cast<char>('a' + i);
          return i;
        }),
        heist::ordered([&](int i) { log += static_cast<char>('A' + i); }));
    EXPECT_EQ(log, "s0aAs1bBs2cCs");
  });
}

TEST_P(a_pipeline, may_have_nothing_to_do) {
  in_place([] {
    int calls = 0;
    heist::pipeline(
        3,
        [&]() -> std::optional<int> {
          ++calls;
          return std::nullopt;
        },
        heist::serial([](int) { FAIL(); }));
    EXPECT_EQ(calls, 1);
  });
}

TEST_P(a_pipeline, may_fork_in_its_stages_and_be_nested) {
  in_place([] {
    std::atomic<long> sum{0};
    heist::pipeline(
        4, numbers(rounds(60)), heist::parallel([](int i) { return fib(i % 10); }), heist::ordered([](long f) {
          std::vector<int> inner;
          heist::pipeline(2, numbers(static_cast<int>(f)), heist::parallel([](int i) { return i; }),
                          heist::ordered([&](int i) { inner.push_back(i); }));
          EXPECT_EQ(inner, up_to(static_cast<int>(f)));
          return f;
        }),
        heist::parallel([&](long f) { sum += f; }));
    long expected = 0;
    for (int i = 0; i < rounds(60); ++i) expected += fib(i % 10);
    EXPECT_EQ(sum, expected);
  });
}

TEST_P(a_pipeline, carries_what_can_only_be_moved_and_leaves_nothing) {
  in_place([] {
    int next = 0;
    std::vector<int> got;
    heist::pipeline(
        4, [&]() -> std::optional<counted> { return next < 100 ? std::optional<counted>(counted(next++)) : std::nullopt; },
        heist::parallel([](counted c) { return c; }), heist::ordered([&](counted&& c) { got.push_back(c.value); }));
    EXPECT_EQ(got, up_to(100));
  });
  EXPECT_EQ(counted::live(), 0);
}

TEST_P(a_pipeline, accepts_a_limit_that_nothing_reaches) {
  in_place([] {
    std::atomic<int> n{0};
    heist::pipeline(std::numeric_limits<std::size_t>::max(), numbers(100), heist::ordered([](int i) { return i; }),
                    heist::parallel([&](int) { ++n; }));
    EXPECT_EQ(n, 100);
  });
}

TEST(a_pipeline_without_room, is_refused) {
  EXPECT_THROW(heist::pipeline(0, numbers(1), heist::serial([](int) {})), std::invalid_argument);
  EXPECT_THROW(heist::pipeline(-1, numbers(1), heist::serial([](int) {})), std::invalid_argument);
  EXPECT_THROW(heist::pipeline(0u, numbers(1), heist::serial([](int) {})), std::invalid_argument);
}

// Failures --------------------------------------------------------------------------------------------------------------

TEST_P(a_pipeline, throws_the_first_exception_in_the_order_of_its_source) {
  for (int i = 0; i < rounds(100); ++i) {
    numbers source(1'000);
    std::atomic<int> done{0};
    in_place([&] {
      EXPECT_EQ(thrower([&] {
                  heist::pipeline(
                      8, source, heist::parallel([](int k) {
                        if (k == 20) {
                          for (int t = 0; t < 20; ++t) std::this_thread::yield();
                          throw failure(k);
                        }
                        if (k > 20 && k % 2 == 0) throw failure(k);
                        return counted(k);
                      }),
                      heist::ordered([](counted c) { return c; }), heist::serial([&](counted c) {
                        EXPECT_LT(c.value, 20);
                        ++done;
                      }));
                }),
                20);
    });
    EXPECT_EQ(done, 20);            // those before it are finished
    EXPECT_LE(source.given(), 29);  // and no others begun
    expect_nothing_left();
  }
}

TEST_P(a_pipeline, throws_what_its_source_throws_after_what_was_begun) {
  for (int i = 0; i < rounds(50); ++i) {
    std::atomic<int> done{0};
    in_place([&] {
      int next = 0;
      EXPECT_EQ(thrower([&] {
                  heist::pipeline(
                      4,
                      [&]() -> std::optional<int> {
                        if (next == 10) throw failure(10);
                        return next++;
                      },
                      heist::parallel([](int k) { return k; }), heist::ordered([&](int) { ++done; }));
                }),
                10);
    });
    EXPECT_EQ(done, 10);
  }
  expect_nothing_left();
}

TEST_P(a_pipeline, fails_in_a_serial_stage_where_others_wait) {
  for (int i = 0; i < rounds(100); ++i) {
    in_place([&] {
      EXPECT_EQ(thrower([&] {
                  heist::pipeline(8, numbers(200), heist::parallel([](int k) { return k; }), heist::serial([](int k) {
                                    std::this_thread::yield();
                                    if (k >= 50) throw failure(k);
                                    return k;
                                  }),
                                  heist::ordered([](int k) { EXPECT_LT(k, 50); }));
                }),
                50);
    });
  }
  expect_nothing_left();
}

// Stops -----------------------------------------------------------------------------------------------------------------

TEST_P(a_pipeline, stops_when_it_is_asked_to) {
  for (int i = 0; i < rounds(50); ++i) {
    std::stop_source source;
    std::atomic<int> through{0};
    in_place([&] {
      int next = 0;
      EXPECT_THROW(heist::pipeline(
                       4, [&]() -> std::optional<int> { return next++; }, heist::parallel([&](int k) {
                         if (k == 30) source.request_stop();
                         return k;
                       }),
                       heist::serial([&](int) { ++through; }), source.get_token()),
                   heist::cancelled);
      EXPECT_LE(next, 60);
    });
    EXPECT_GE(through, 20);
  }
}

TEST_P(a_pipeline, that_was_stopped_before_does_nothing) {
  in_place([] {
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(heist::pipeline(
                     4,
                     []() -> std::optional<int> {
                       ADD_FAILURE();
                       return {};
                     },
                     heist::serial([](int) {}), source.get_token()),
                 heist::cancelled);
    int n = 0;
    heist::pipeline(4, numbers(10), heist::serial([&](int) { ++n; }), std::stop_source().get_token());
    EXPECT_EQ(n, 10);
  });
}

TEST_P(a_pipeline, throws_what_a_stage_throws_though_it_was_stopped) {
  std::stop_source source;
  in_place([&] {
    EXPECT_EQ(thrower([&] {
                heist::pipeline(4, numbers(100), heist::parallel([&](int k) {
                                  if (k != 10) return;
                                  source.request_stop();
                                  throw failure(k);
                                }),
                                source.get_token());
              }),
              10);
  });
  expect_nothing_left();
}

// A stage that waits holds up only its own stage.
TEST_P(a_pipeline, may_wait_in_its_stages) {
  heist::channel<int> c(1);
  std::vector<int> got;
  const int n = rounds(500);
  auto produce = [&] {
    heist::pipeline(4, numbers(n), heist::parallel([](int i) { return i; }), heist::ordered([&](int i) { c.push(i); }));
    c.close();
  };
  run(produce, [&] {
    for (const int i : c) got.push_back(i);
  });
  EXPECT_EQ(got, up_to(n));
}

}  // namespace
