// exit() and its kin, with workers asleep and at work; what runs after main.

#include "tests/harsh/process.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

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

constexpr const char* sentence = "^heist: a pool was destroyed by a task that runs in it; destroy it outside";

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

// What exit() destroys while a task in it is still there.
TEST_F(a_pool_destroyed_by_its_own_task, by_exit_and_a_static_dies_with_the_same_sentence) {
  EXPECT_EXIT(
      {
        expendable();
        static heist::pool p(workers(2));
        p.run([] { std::exit(17); });
      },
      testing::KilledBySignal(SIGABRT), sentence);
}

}  // namespace
