// heist::suspend: strands that wait for an event and leave their worker to others.

#include "tests/join/support.hpp"

#include <atomic>
#include <cfenv>
#include <chrono>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

namespace {

using namespace heist_test;

// Resumes everything that was put in, from a thread of its own, until it is destroyed.
class bell {
 public:
  bell() : thread_([this] { ring(); }) {}
  ~bell() {
    stop_ = true;
    thread_.join();
  }
  void put(heist::resumption r) {
    const std::lock_guard hold(lock_);
    waiting_.push_back(std::move(r));
  }
  // The calling strand waits until the next ring.
  void wait() {
    heist::suspend([this](heist::resumption r) { put(std::move(r)); });
  }

 private:
  void ring() {
    while (!stop_) {
      std::vector<heist::resumption> now;
      {
        const std::lock_guard hold(lock_);
        now.swap(waiting_);
      }
      for (heist::resumption& r : now) r.resume();
      std::this_thread::yield();
    }
  }

  std::mutex lock_;
  std::vector<heist::resumption> waiting_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

class a_wait : public testing::TestWithParam<unsigned> {
 protected:
  heist::pool pool{{.workers = GetParam()}};
  bell b;

  long leaves(int depth, bool waits = true) {
    if (depth == 0) {
      if (waits) b.wait();
      return 1;
    }
    const auto [x, y] =
        heist::join([=, this] { return leaves(depth - 1, waits); }, [=, this] { return leaves(depth - 1, waits); });
    return x + y;
  }
};
INSTANTIATE_TEST_SUITE_P(in_a_pool, a_wait, testing::Values(1u, 2u, 8u),
                         [](const auto& p) { return "of_" + std::to_string(p.param); });

TEST_P(a_wait, ends_when_it_is_resumed_from_another_thread) {
  EXPECT_EQ(pool.run([&] { return b.wait(), 7; }), 7);
}

TEST_P(a_wait, may_be_resumed_by_the_function_itself) {
  pool.run([] {
    for (int i = 0; i < 1000; ++i) heist::suspend([](heist::resumption r) { r.resume(); });
  });
}

TEST_P(a_wait, at_every_leaf_of_a_tree_of_joins_loses_none) {
  EXPECT_EQ(pool.run([&] { return leaves(10); }), 1 << 10);
  EXPECT_EQ(pool.stats().waiting, 0u);
  EXPECT_GT(pool.stats().waiting_peak, 0u);
}

TEST_P(a_wait, of_a_thousand_children_of_a_scope_at_once_needs_no_thousand_workers) {
  std::vector<heist::resumption> all;
  std::mutex lock;
  std::atomic<int> ended{0};
  constexpr int n = 1000;
  std::thread last([&] {
    for (;;) {
      std::this_thread::yield();
      const std::lock_guard hold(lock);
      if (all.size() < n) continue;
      EXPECT_EQ(ended, 0);
      for (heist::resumption& r : all) r.resume();
      return;
    }
  });
  pool.run([&] {
    heist::with_scope([&](heist::scope& s) {
      for (int i = 0; i < n; ++i)
        s.spawn([&] {
          heist::suspend([&](heist::resumption r) {
            const std::lock_guard hold(lock);
            all.push_back(std::move(r));
          });
          ++ended;
        });
    });
  });
  last.join();
  EXPECT_EQ(ended, n);
  // The last of each worker may be resumed before it has left its stack: it has not waited then.
  EXPECT_LE(pool.stats().waiting_peak, static_cast<std::size_t>(n));
  EXPECT_GE(pool.stats().waiting_peak, static_cast<std::size_t>(n) - GetParam());
}

TEST_P(a_wait, in_children_that_fork_and_spawn_around_it_keeps_sums_right) {
  std::atomic<long> sum{0};
  pool.run([&] {
    heist::with_scope([&](heist::scope& s) {
      for (int i = 0; i < 50; ++i)
        s.spawn([&] {
          const long before = leaves(2);
          heist::scope inner;
          for (int k = 0; k < 4; ++k) inner.spawn([&] { sum += leaves(1); });
          b.wait();
          for (int k = 0; k < 4; ++k) inner.spawn_later([&] { sum += leaves(1); });
          b.wait();
          inner.sync();
          b.wait();
          sum += before + leaves(3);
        });
    });
  });
  EXPECT_EQ(sum, 50 * (4 + 8 * 2 + 8));
}

TEST_P(a_wait, lets_its_worker_go_on_with_what_is_in_the_deque) {
  // The second branch resumes the first, which waits: a worker that blocked would never come to it.
  for (int i = 0; i < 100; ++i)
    pool.run([] {
      std::mutex lock;
      heist::resumption first;
      bool second_ran = false;
      heist::join(
          [&] {
            heist::suspend([&](heist::resumption r) {
              const std::lock_guard hold(lock);
              if (second_ran)
                r.resume();
              else
                first = std::move(r);
            });
          },
          [&] {
            const std::lock_guard hold(lock);
            second_ran = true;
            if (first) first.resume();
          });
    });
}

TEST_P(a_wait, inside_a_loop_over_elements_touches_each_once) {
  std::vector<int> seen(500);
  pool.run([&] {
    heist::for_each(seen, [&](int& s) {
      b.wait();
      ++s;
    }, heist::grain{1});
  });
  for (const int s : seen) EXPECT_EQ(s, 1);
}

TEST_P(a_wait, keeps_the_strands_floating_point_mode_and_reducers) {
  constexpr int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  heist::reducer<long> sum;
  pool.run([&] {
    heist::for_each_index(0, 200, [&](int i) {
      const int before = std::fegetround();
      std::fesetround(modes[i % 4]);
      *sum += i;
      b.wait();
      EXPECT_EQ(std::fegetround(), modes[i % 4]);
      *sum += i;
      std::fesetround(before);
    }, heist::grain{1});
  });
  EXPECT_EQ(*sum, 2 * 199 * 200 / 2);
}

TEST_P(a_wait, carries_the_exceptions_that_are_being_handled) {
  pool.run([&] {
    heist::for_each_index(0, 64, [&](int i) {
      try {
        throw i;
      } catch (int) {
        b.wait();
        try {
          throw;
        } catch (int k) {
          EXPECT_EQ(k, i);
        }
      }
    }, heist::grain{1});
  });
}

TEST_P(a_wait, throws_what_the_function_throws) {
  EXPECT_THROW(pool.run([] { heist::suspend([](heist::resumption) { throw std::range_error("f"); }); }), std::range_error);
  EXPECT_THROW(heist::suspend([](heist::resumption) { throw std::range_error("f"); }), std::range_error);
}

TEST_P(a_wait, whose_resumption_is_destroyed_is_broken) {
  EXPECT_THROW(pool.run([] { heist::suspend([](heist::resumption) {}); }), heist::broken_wait);
  EXPECT_THROW(heist::suspend([](heist::resumption) {}), heist::broken_wait);
  std::thread other;
  EXPECT_THROW(pool.run([&] {
    heist::suspend([&](heist::resumption r) { other = std::thread([lost = std::move(r)] {}); });
  }), heist::broken_wait);
  other.join();
}

TEST_P(a_wait, outside_every_pool_blocks_the_thread) {
  b.wait();
  heist::suspend([](heist::resumption r) { r.resume(); });
}

TEST_P(a_wait, of_many_callers_at_once_ends_for_all) {
  std::vector<std::thread> callers;
  std::atomic<long> sum{0};
  for (int i = 0; i < 8; ++i) callers.emplace_back([&] { sum += pool.run([&] { return leaves(5); }); });
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(sum, 8 * 32);
}

TEST_P(a_wait, is_neither_work_nor_span) {
  auto strands_of = [&](bool waits) {
    return pool.run([&] {
      return heist::measure([&] { EXPECT_EQ(leaves(6, waits), 64); }, heist::unit::strand);
    });
  };
  const heist::measurement plain = strands_of(false), waiting = strands_of(true);
  EXPECT_EQ(waiting.work, plain.work);
  EXPECT_EQ(waiting.span, plain.span);
}

// With a stop token --------------------------------------------------------------------------------------------------

TEST_P(a_wait, with_a_token_ends_by_a_stop_and_leaves_the_resumption_harmless) {
  for (const bool resumed : {true, false}) {
    std::stop_source source;
    heist::resumption late;
    std::atomic<bool> out{false};
    std::thread stopper([&] {
      EXPECT_TRUE(eventually([&] { return out.load(); }));
      source.request_stop();
    });
    EXPECT_THROW(pool.run([&] {
      heist::suspend(
          [&](heist::resumption r) {
            heist::resumption once_more = std::move(r);
            late = std::move(once_more);
            out = true;
          },
          source.get_token());
    }), heist::cancelled);
    stopper.join();
    EXPECT_FALSE(late);
    heist::resumption moved = std::move(late);
    EXPECT_THROW(late.resume(), std::logic_error);  // NOLINT(bugprone-use-after-move): that is what is tested
    if (!resumed) continue;
    moved.resume();
    EXPECT_THROW(moved.resume(), std::logic_error);
  }
}

TEST_P(a_wait, that_is_stopped_before_does_not_call_its_function) {
  std::stop_source source;
  source.request_stop();
  auto f = [](heist::resumption) { FAIL(); };
  EXPECT_THROW(pool.run([&] { heist::suspend(f, source.get_token()); }), heist::cancelled);
  EXPECT_THROW(heist::suspend(f, source.get_token()), heist::cancelled);
}

TEST_P(a_wait, that_may_be_stopped_behaves_as_any_other) {
  std::stop_source source;
  const std::stop_token token = source.get_token();
  auto each_way = [&] {
    heist::suspend([](heist::resumption r) { r.resume(); }, token);
    EXPECT_THROW(heist::suspend([](heist::resumption) {}, token), heist::broken_wait);
    EXPECT_THROW(heist::suspend([](heist::resumption) { throw std::range_error("f"); }, token), std::range_error);
    heist::suspend([this](heist::resumption r) { b.put(std::move(r)); }, token);
  };
  pool.run(each_way);
  each_way();
}

// The function itself stops it: then what it throws is what the caller gets.
TEST_P(a_wait, may_be_stopped_while_its_function_runs) {
  for (const bool throws : {true, false}) {
    std::stop_source source;
    auto f = [&](heist::resumption) {
      source.request_stop();
      if (throws) throw std::range_error("f");
    };
    auto wait = [&] { heist::suspend(f, source.get_token()); };
    if (throws)
      EXPECT_THROW(pool.run(wait), std::range_error);
    else
      EXPECT_THROW(pool.run(wait), heist::cancelled);
  }
}

TEST_P(a_wait, with_an_empty_token_obeys_that_of_its_root) {
  std::stop_source source;
  heist::resumption never;
  std::atomic<bool> out{false};
  std::thread stopper([&] {
    EXPECT_TRUE(eventually([&] { return out.load(); }));
    source.request_stop();
  });
  auto keep = [&](heist::resumption r) { never = std::move(r), out = true; };
  EXPECT_THROW(pool.run([&] { heist::suspend(keep, std::stop_token()); }, source.get_token()), heist::cancelled);
  stopper.join();
  never.resume();
}

TEST_P(a_wait, without_a_token_ends_by_its_resumption_only) {
  std::stop_source source;
  std::atomic<bool> went_on{false};
  std::thread resumer;
  auto resume_later = [&](heist::resumption r) {
    resumer = std::thread([&, r = std::move(r)]() mutable {
      source.request_stop();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      EXPECT_FALSE(went_on);
      r.resume();
    });
  };
  try {
    pool.run([&] { heist::suspend(resume_later), went_on = true; }, source.get_token());
  } catch (const heist::cancelled&) {
  }
  resumer.join();
  EXPECT_TRUE(went_on);
}

// Who resumes, who stops, who moves and who destroys the resumption meet in every order; one of them ends the wait.
TEST_P(a_wait, that_is_resumed_and_stopped_at_once_ends_once) {
  constexpr int n = 300;
  std::atomic<int> resumed{0}, stopped{0}, broken{0};
  heist::channel<heist::resumption> to_resumer(16);
  std::thread resumer([&] {
    int k = 0;
    while (std::optional<heist::resumption> r = to_resumer.pop()) {
      heist::resumption moved = *std::move(r);
      if (k++ % 3 == 0) std::this_thread::yield();
      if (k % 5 != 0) moved.resume();
    }
  });
  pool.run([&] {
    heist::with_scope([&](heist::scope& s) {
      for (int i = 0; i < n; ++i)
        s.spawn([&, i] {
          std::stop_source source;
          heist::join(
              [&] {
                try {
                  heist::suspend([&](heist::resumption r) { b.put(std::move(r)); });
                  heist::suspend(
                      [&](heist::resumption r) {
                        if (!to_resumer.try_push(std::move(r))) r.resume();
                      },
                      source.get_token());
                  ++resumed;
                } catch (const heist::cancelled&) {
                  ++stopped;
                } catch (const heist::broken_wait&) {
                  ++broken;
                }
              },
              [&] {
                if (i % 2 == 0) b.wait();
                source.request_stop();
              });
        });
    });
  });
  to_resumer.close();
  resumer.join();
  EXPECT_EQ(resumed + stopped + broken, n);
}

TEST(a_scope_outside_every_pool, may_have_more_children_that_wait_than_it_queues) {
  constexpr int n = 1500;
  heist::latch open(1);
  std::atomic<int> ended{0};
  heist::with_scope([&](heist::scope& s) {
    for (int i = 0; i < n; ++i)
      s.spawn([&] {
        open.wait();
        ++ended;
      });
    s.spawn([&] { open.count_down(); });
  });
  EXPECT_EQ(ended, n);
}

TEST(a_resumption, is_good_for_one_resume) {
  heist::suspend([](heist::resumption r) {
    heist::resumption moved = std::move(r);
    EXPECT_FALSE(r);  // NOLINT(bugprone-use-after-move): that is what is tested
    EXPECT_THROW(r.resume(), std::logic_error);
    EXPECT_TRUE(moved);
    moved.resume();
    EXPECT_FALSE(moved);
    EXPECT_THROW(moved.resume(), std::logic_error);
  });
  heist::resumption none;
  EXPECT_THROW(none.resume(), std::logic_error);
}

}  // namespace
