// fork(), exit() and destruction, with workers asleep.

#include "tests/pool/threads.hpp"
#include "tests/support.hpp"

#include <heist/base/sanitizer.hpp>
#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

using namespace heist_test;

// Before anything starts the default pool: several workers, also on a machine with one processor.
const int workers_set = ::setenv("HEIST_WORKERS", "4", 1);

// A join whose two branches run at once: another worker is up.
void need_a_thief() {
  std::atomic<int> here{0};
  auto meet = [&] {
    ++here;
    if (!eventually([&] { return here == 2; })) std::_Exit(9);
  };
  heist::join(meet, meet);
}

bool threads_rest() {
  return eventually([] {
    for (const thread_seen& t : heist_threads())
      if (t.state != 'S') return false;
    return true;
  });
}

// Runs `body` in a child of fork(); what it exits with.
template <class Body>
int in_child(Body body) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    body();
#if defined(HEIST_ASAN)
    std::_Exit(0);  // what only the parent's threads pointed to would count as leaked
#endif
    std::exit(0);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_FALSE(WIFSIGNALED(status)) << "killed by signal " << WTERMSIG(status);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class a_child_of_fork : public testing::Test {
 protected:
  void SetUp() override {
#if defined(HEIST_TSAN)
    GTEST_SKIP() << "ThreadSanitizer allows no threads in the child of a process with threads";
#endif
  }
};

TEST_F(a_child_of_fork, has_a_default_pool_of_its_own_while_the_parents_sleeps) {
  need_a_thief();
  ASSERT_TRUE(threads_rest());
  EXPECT_EQ(in_child([] {
              if (!heist_threads().empty()) std::_Exit(2);
              if (fib(15) != 610) std::_Exit(3);
              need_a_thief();
              if (heist_threads().empty()) std::_Exit(4);
              heist::scope s;
              std::atomic<int> n{0};
              for (int i = 0; i < 100; ++i) s.spawn([&] { ++n; });
              s.sync();
              if (n != 100) std::_Exit(5);
            }),
            0);
  need_a_thief();  // and the parent's is what it was
}

TEST_F(a_child_of_fork, may_fork_again) {
  need_a_thief();
  ASSERT_TRUE(threads_rest());
  EXPECT_EQ(in_child([] {
              need_a_thief();
              if (!threads_rest()) std::_Exit(2);
              const int grandchild = in_child([] { need_a_thief(); });
              if (grandchild != 0) std::_Exit(3);
              need_a_thief();
            }),
            0);
}

TEST_F(a_child_of_fork, may_fork_while_the_parents_workers_work) {
  std::atomic<bool> over{false};
  std::thread busy([&] {
    while (!over) fib(18);
  });
  for (int i = 0; i < 20; ++i) EXPECT_EQ(in_child([] { need_a_thief(); }), 0);
  over = true;
  busy.join();
}

TEST_F(a_child_of_fork, may_destroy_a_pool_it_inherited) {
  heist::options o;
  o.workers = 3;
  auto p = std::make_unique<heist::pool>(o);
  p->run(need_a_thief);
  ASSERT_TRUE(threads_rest());
  EXPECT_EQ(in_child([&] { p.reset(); }), 0);
  p->run(need_a_thief);
}

class exit_ : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(exit_, ends_a_process_whose_workers_sleep) {
  EXPECT_EXIT(
      {
        ::alarm(60);
        need_a_thief();
        threads_rest();
        std::exit(heist_threads().empty() ? 2 : 17);
      },
      testing::ExitedWithCode(17), "");
}

TEST_F(exit_, ends_a_process_with_a_static_pool) {
  EXPECT_EXIT(
      {
        ::alarm(60);
        static heist::pool p([] {
          heist::options o;
          o.workers = 4;
          return o;
        }());
        p.run(need_a_thief);
        threads_rest();
        std::exit(17);
      },
      testing::ExitedWithCode(17), "");
}

// The default pool is never destroyed, so that destructors of statics may still use it.
TEST_F(exit_, runs_a_static_destructor_that_joins) {
  EXPECT_EXIT(
      {
        ::alarm(60);
        struct late {
          ~late() { std::_Exit(fib(10) == 55 ? 17 : 2); }
        };
        static late l;
        need_a_thief();
        threads_rest();
        std::exit(3);
      },
      testing::ExitedWithCode(17), "");
}

TEST_F(exit_, may_be_called_by_a_task) {
#if defined(HEIST_ASAN)
  GTEST_SKIP() << "LeakSanitizer does not look at the native stack of a thread that is on another";
#endif
  EXPECT_EXIT(
      {
        ::alarm(60);
        heist::join(need_a_thief, [] { std::exit(17); });
      },
      testing::ExitedWithCode(17), "");
}

TEST_F(exit_, quick_exit_ends_a_process_whose_workers_sleep) {
  EXPECT_EXIT(
      {
        ::alarm(60);
        need_a_thief();
        threads_rest();
        std::quick_exit(17);
      },
      testing::ExitedWithCode(17), "");
}

using a_pool_destroyed_by_its_own_task = exit_;

TEST_F(a_pool_destroyed_by_its_own_task, dies_with_a_sentence) {
  EXPECT_EXIT(
      {
        heist::options o;
        o.workers = 2;
        heist::pool* p = new heist::pool(o);
        p->run([p] { delete p; });
      },
      testing::KilledBySignal(SIGABRT), "heist: a pool was destroyed by a task that runs in it; destroy it outside");
}

TEST_F(a_pool_destroyed_by_its_own_task, on_a_pools_thread_dies_with_the_same_sentence) {
  EXPECT_EXIT(
      {
        heist::options o;
        o.workers = 2;
        heist::pool* p = new heist::pool(o);
        p->run([p] {
          std::atomic<bool> started{false};
          heist::join([&] { eventually([&] { return started.load(); }); },
                      [&, p] {
                        started = true;
                        delete p;
                      });
        });
      },
      testing::KilledBySignal(SIGABRT), "heist: a pool was destroyed by a task that runs in it; destroy it outside");
}

}  // namespace
