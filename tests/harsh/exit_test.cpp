// exit() and its kin, with workers asleep and at work; what runs after main.

#include "tests/harsh/process.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <thread>
#include <utility>

namespace {

using namespace heist_test;

// Before anything starts the default pool: several workers, also on a machine with one processor.
const int workers_set = ::setenv("HEIST_WORKERS", "4", 1);

class exit_ : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(exit_, ends_a_process_whose_workers_sleep) {
  EXPECT_EXIT(
      {
        expendable();
        need_a_thief();
        if (!threads_rest()) std::_Exit(8);
        std::exit(heist_threads().empty() ? 2 : 17);
      },
      testing::ExitedWithCode(17), "^$");
}

// Never ends: somebody forks until the process is gone.
[[noreturn]] void work_for_ever() {
  for (;;) fib(15);
}

// Workers steal from one another meanwhile.
void keep_workers_busy() {
  std::thread([] { heist::join(work_for_ever, work_for_ever); }).detach();
  if (!eventually([] { return heist::default_pool().stats().steals > 0; })) std::_Exit(8);
}

TEST_F(exit_, from_main_ends_a_process_whose_workers_work) {
  EXPECT_EXIT(
      {
        expendable();
        keep_workers_busy();
        std::exit(17);
      },
      testing::ExitedWithCode(17), "^$");
}

TEST_F(exit_, quick_exit_ends_a_process_whose_workers_sleep_or_work) {
  EXPECT_EXIT(
      {
        expendable();
        need_a_thief();
        if (!threads_rest()) std::_Exit(8);
        std::quick_exit(17);
      },
      testing::ExitedWithCode(17), "^$");
  EXPECT_EXIT(
      {
        expendable();
        keep_workers_busy();
        std::quick_exit(17);
      },
      testing::ExitedWithCode(17), "^$");
}

TEST_F(exit_, ends_a_process_with_a_static_pool) {
  EXPECT_EXIT(
      {
        expendable();
        static heist::pool p(workers(4));
        p.run(need_a_thief);
        if (!threads_rest()) std::_Exit(8);
        std::exit(17);
      },
      testing::ExitedWithCode(17), "^$");
}

// A static whose destructor joins, and says by the exit code that it did.
struct late {
  ~late() {
    need_a_thief();
    std::_Exit(fib(10) == 55 ? 17 : 2);
  }
};

// The default pool is never destroyed, so that destructors of statics may still use it.
TEST_F(exit_, runs_a_static_destructor_that_joins) {
  EXPECT_EXIT(
      {
        expendable();
        static late l;
        need_a_thief();
        if (!threads_rest()) std::_Exit(8);
        std::exit(3);
      },
      testing::ExitedWithCode(17), "^$");
}

TEST_F(exit_, runs_a_static_destructor_that_is_the_first_to_use_heist) {
  EXPECT_EXIT(
      {
        expendable();
        static late l;
        std::exit(3);
      },
      testing::ExitedWithCode(17), "^$");
}

TEST_F(exit_, leaves_those_alone_that_wait_in_a_static_channel) {
  EXPECT_EXIT(
      {
        expendable();
        static heist::channel<int> c(2);
        heist::detach([] { c.pop(); });
        if (!eventually([] { return heist::default_pool().stats().waiting == 1; })) std::_Exit(8);
        std::exit(17);
      },
      testing::ExitedWithCode(17), "^$");
}

TEST_F(exit_, may_be_called_by_a_task) {
#if defined(HEIST_ASAN)
  GTEST_SKIP() << "LeakSanitizer does not look at the native stack of a thread that is on another";
#endif
  EXPECT_EXIT(
      {
        expendable();
        heist::join(need_a_thief, [] { std::exit(17); });
      },
      testing::ExitedWithCode(17), "^$");
  // On a pool's thread, while the caller works.
  EXPECT_EXIT(
      {
        expendable();
        heist::join(work_for_ever, [] { std::exit(17); });
      },
      testing::ExitedWithCode(17), "^$");
}

using a_pool_destroyed_by_its_own_task = exit_;

constexpr const char* sentence = "^heist: a pool was destroyed by a task that runs in it; destroy it outside the pool";

TEST_F(a_pool_destroyed_by_its_own_task, dies_with_a_sentence) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool* p = new heist::pool(workers(2));
        p->run([p] { delete p; });
      },
      testing::KilledBySignal(SIGABRT), sentence);
}

TEST_F(a_pool_destroyed_by_its_own_task, on_a_pools_thread_dies_with_the_same_sentence) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool* p = new heist::pool(workers(2));
        p->run([p] {
          std::atomic<bool> started{false};
          heist::join(
              [&] {
                if (!eventually([&] { return started.load(); })) std::_Exit(8);
              },
              [&, p] {
                started = true;
                delete p;
              });
        });
      },
      testing::KilledBySignal(SIGABRT), sentence);
}

using a_pool_destroyed_while_it_is_used = exit_;

TEST_F(a_pool_destroyed_while_it_is_used, by_another_thread_dies_with_a_sentence) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool* p = new heist::pool(workers(2));
        std::atomic<bool> inside{false};
        std::thread([&] {
          p->run([&] {
            inside = true;
            work_for_ever();
          });
        }).detach();
        if (!eventually([&] { return inside.load(); })) std::_Exit(8);
        delete p;
      },
      testing::KilledBySignal(SIGABRT), "^heist: a pool was destroyed during a call of its run\\(\\)");
}

// A detached strand that waits for a resumption, which somebody keeps.
void wait_for_ever(heist::pool& in) {
  static auto* const kept = new heist::resumption;  // never destroyed
  static std::atomic<bool> waits{false};
  in.detach([] {
    heist::suspend([](heist::resumption r) {
      *kept = std::move(r);
      waits = true;
    });
  });
  if (!eventually([] { return waits.load(); })) std::_Exit(8);
}

TEST_F(a_pool_destroyed_while_it_is_used, by_a_strand_that_waits_dies_with_a_sentence) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool p(workers(2));
        wait_for_ever(p);
      },
      testing::KilledBySignal(SIGABRT), "^heist: a pool was destroyed while strands waited in it");
}

TEST_F(a_pool_destroyed_while_it_is_used, by_a_strand_that_sleeps_waits_for_it) {
  bool awake = false;
  {
    heist::pool p(workers(2));
    p.detach([&] {
      heist::sleep_for(std::chrono::milliseconds(2500));
      awake = true;
    });
  }
  EXPECT_TRUE(awake);
}

// Static pools are destroyed by exit(): if somebody is at work in one, it is left as it is, and the process ends as it was told to.
class exit_with_a_static_pool_at_work : public exit_ {
 protected:
  void SetUp() override {
    exit_::SetUp();
#if defined(HEIST_ASAN)
    GTEST_SKIP() << "to LeakSanitizer what is left is a leak";
#endif
  }
};

TEST_F(exit_with_a_static_pool_at_work, is_clean_in_its_own_task) {
  EXPECT_EXIT(
      {
        expendable();
        static heist::pool p(workers(2));
        p.run([] { std::exit(17); });
      },
      testing::ExitedWithCode(17), "^$");
  // Not in static storage itself.
  EXPECT_EXIT(
      {
        expendable();
        static const auto p = std::make_unique<heist::pool>(workers(2));
        p->run([] { heist::join([] { std::exit(17); }, [] {}); });
      },
      testing::ExitedWithCode(17), "^$");
}

// A branch that is certainly stolen, while the caller works.
template <class F>
void in_a_pool_thread(F f) {
  std::atomic<bool> started{false};
  heist::join(
      [&] {
        if (!eventually([&] { return started.load(); })) std::_Exit(8);
        work_for_ever();
      },
      [&] {
        started = true;
        f();
      });
}

TEST_F(exit_with_a_static_pool_at_work, is_clean_on_a_thread_of_the_pool) {
  EXPECT_EXIT(
      {
        expendable();
        static heist::pool p(workers(2));
        p.run([] { in_a_pool_thread([] { std::exit(17); }); });
      },
      testing::ExitedWithCode(17), "^$");
}

TEST_F(exit_with_a_static_pool_at_work, is_clean_in_another_pool_that_its_task_called) {
  EXPECT_EXIT(
      {
        expendable();
        static heist::pool p(workers(2));
        p.run([] { in_a_pool_thread([] { heist::default_pool().run([] { std::exit(17); }); }); });
      },
      testing::ExitedWithCode(17), "^$");
}

TEST_F(exit_with_a_static_pool_at_work, is_clean_in_main) {
  EXPECT_EXIT(
      {
        expendable();
        static heist::pool p(workers(2));
        std::thread([] { p.run([] { heist::join(work_for_ever, work_for_ever); }); }).detach();
        if (!eventually([] { return p.stats().steals > 0; })) std::_Exit(8);
        std::exit(17);
      },
      testing::ExitedWithCode(17), "^$");
}

TEST_F(exit_with_a_static_pool_at_work, is_clean_while_a_detached_strand_waits) {
  EXPECT_EXIT(
      {
        expendable();
        static heist::pool p(workers(2));
        wait_for_ever(p);
        std::exit(17);
      },
      testing::ExitedWithCode(17), "^$");
}

}  // namespace
