// A std::mutex held across a join: a checked build says which join.

#include "tests/harsh/process.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <mutex>
#include <vector>

namespace {

using namespace heist_test;

std::mutex guard;

class a_held_mutex : public testing::Test {
 protected:
  void SetUp() override {
#if !defined(HEIST_CHECKED)
    GTEST_SKIP() << "only checked builds look";
#elif defined(HEIST_TSAN)
    GTEST_SKIP() << "ThreadSanitizer says it by itself";
#endif
  }

  // One worker: nobody steals, nothing moves, and it is found all the same.
  static ending in_root(void (*root)()) {
    return in_child([root] {
      heist::pool p(workers(1));
      p.run(root);
    });
  }

  // The sentence ends with a command that shows the place.
  static void expect_found_at(int line, const ending& e) {
    EXPECT_EQ(e.signal, SIGABRT) << "code " << e.code << ": " << e.said;
    EXPECT_TRUE(e.said.starts_with("heist: a std::mutex is held across a join, spawn or sync")) << e.said;
    const auto command = e.said.find("addr2line");
    ASSERT_NE(command, std::string::npos) << e.said;
    std::string shown;
    std::FILE* const output = ::popen(e.said.substr(command).c_str(), "r");
    ASSERT_NE(output, nullptr);
    char text[512];
    while (std::fgets(text, sizeof text, output) != nullptr) shown += text;
    ::pclose(output);
    std::string place = "held_mutex_test.cpp:";
    place += std::to_string(line);
#if !defined(NDEBUG)  // else there is no debug information
    EXPECT_NE(shown.find(place), std::string::npos) << e.said << shown;
#endif
  }
};

TEST_F(a_held_mutex, is_found_at_the_join) {
  const int line = __LINE__ + 3;
  expect_found_at(line, in_root([] {
                    const std::lock_guard hold(guard);
                    heist::join([] {}, [] {});
                  }));
}

TEST_F(a_held_mutex, is_found_at_the_spawn) {
  const int line = __LINE__ + 4;
  expect_found_at(line, in_root([] {
                    heist::scope s;
                    const std::lock_guard hold(guard);
                    s.spawn([] {});
                  }));
}

TEST_F(a_held_mutex, is_found_at_the_sync) {
  const int line = __LINE__ + 5;
  expect_found_at(line, in_root([] {
                    heist::scope s;
                    s.spawn([] {});
                    const std::unique_lock hold(guard, std::try_to_lock);
                    s.sync();
                  }));
}

TEST_F(a_held_mutex, is_found_at_the_algorithm) {
  const int line = __LINE__ + 4;
  expect_found_at(line, in_root([] {
                    std::vector<int> v(100'000);
                    const std::lock_guard hold(guard);
                    heist::sort(v);
                  }));
}

TEST_F(a_held_mutex, is_found_after_the_callers_is_unlocked) {
  const int line = __LINE__ + 8;
  expect_found_at(line, in_child([] {
                    heist::pool p(workers(1));
                    std::mutex callers;
                    callers.lock();
                    p.run([&] {
                      const std::lock_guard hold(guard);
                      callers.unlock();
                      heist::join([] {}, [] {});
                    });
                  }));
}

TEST_F(a_held_mutex, is_nobodys_business_if_the_strand_cannot_move) {
  EXPECT_ENDS_WELL(in_child([] {
    heist::pool p(workers(2));
    // A caller from outside returns on its thread, and so does whoever calls another pool.
    const std::lock_guard outside(guard);
    p.run([&p] {
      std::mutex second;
      heist::join(
          [&] {
            const std::lock_guard inside(second);
            heist::default_pool().run([] { return fib(10); });
          },
          [&] { const std::lock_guard inside(second); });
      heist::join([] {}, [&] { static_cast<void>(p.stats()); });
    });
    heist::mutex ours;
    p.run([&] {
      const std::lock_guard hold(ours);
      fib(10);
    });
  }));
}

// Where there must be no fork and no wait.
TEST_F(a_held_mutex, is_not_the_only_thing_with_which_a_strand_must_not_fork) {
  auto says = [](const ending& e, const char* sentence) {
    EXPECT_EQ(e.signal, SIGABRT) << "code " << e.code << ": " << e.said;
    EXPECT_TRUE(e.said.starts_with(sentence)) << e.said;
  };
  const auto in_suspend = "heist: the function given to heist::suspend forks or waits";
  says(in_root([] { heist::suspend([](heist::resumption r) { heist::join([] {}, [] {}), r.resume(); }); }), in_suspend);
  says(in_root([] { heist::suspend([](heist::resumption r) { heist::scope().spawn([] {}), r.resume(); }); }), in_suspend);
  says(in_root([] {
         heist::latch never(1);
         heist::suspend([&](heist::resumption) { never.wait(); });
       }),
       in_suspend);
  says(in_root([] { heist::suspend([](heist::resumption) { heist::suspend([](heist::resumption r) { r.resume(); }); }); }),
       in_suspend);
  const auto in_blocking = "heist: the function given to heist::blocking forks, or waits by heist's means";
  says(in_root([] { heist::blocking([] { heist::join([] {}, [] {}); }); }), in_blocking);
  says(in_root([] { heist::blocking([] { heist::sleep_for(std::chrono::milliseconds(1)); }); }), in_blocking);
}

TEST_F(a_held_mutex, or_another_thing_is_no_obstacle_before_and_after_it) {
  EXPECT_ENDS_WELL(in_root([] {
    for (int i = 0; i < 10; ++i) {
      heist::suspend([](heist::resumption r) { r.resume(); });
      heist::join([] {}, [] {});
      heist::blocking([] {});
      heist::sleep_for(std::chrono::microseconds(1));
      try {
        heist::suspend([](heist::resumption) { throw 1; });
      } catch (int) {
      }
      heist::join([] {}, [] {});
    }
  }));
  // In f a thread outside every pool may enter one.
  EXPECT_ENDS_WELL(in_child([] {
    heist::pool p(workers(1));
    heist::suspend([&](heist::resumption r) { p.run([] { heist::join([] {}, [] {}); }), r.resume(); });
  }));
}

}  // namespace
