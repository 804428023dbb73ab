// What leaves a task otherwise than by its end: exceptions through C, foreign ones, cancellation, longjmp.

#include "tests/harsh/process.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <pthread.h>
#include <unwind.h>

#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

using namespace heist_test;

// Through qsort and back: the C library's frames can be unwound.
void throw_through_c() {
  int numbers[4] = {4, 3, 2, 1};
  std::qsort(numbers, 4, sizeof(int), [](const void*, const void*) -> int {
    fib(5);  // a callback forks, too
    throw std::string("from the callback");
  });
}

TEST(an_exception_through_c_frames, arrives_at_the_join_stolen_or_not) {
  for (const unsigned n : {1u, 2u}) {
    heist::pool p(workers(n));
    for (int i = 0; i < 20; ++i) {
      EXPECT_THROW(p.run([] { heist::join(throw_through_c, [] {}); }), std::string);
      EXPECT_THROW(p.run([n] {
        std::atomic<bool> begun{false};
        heist::join([&] { EXPECT_TRUE(n == 1 || eventually([&] { return begun.load(); })); },
                    [&] {
                      begun = true;
                      throw_through_c();
                    });
      }),
                   std::string);
      EXPECT_THROW(p.run([] {
        heist::scope s;
        s.spawn(throw_through_c);
        s.sync();
      }),
                   std::string);
    }
  }
}

// Another language's: C++ can catch it by (...) and pass it on, but not keep it.
void throw_foreign() {
  // What lies before it is not what lies before a C++ exception.
  static struct {
    const void* before[16];
    _Unwind_Exception itself;
  } foreign = {};
  for (const void*& p : foreign.before) p = reinterpret_cast<const void*>(8);  // not to be read
  foreign.itself = {};
  foreign.itself.exception_class = 0x4645494854534948;  // nobody's
  _Unwind_RaiseException(&foreign.itself);
  std::abort();  // nobody catches it
}

class what_is_no_cpp_exception : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  static constexpr const char* sentence = "heist: a branch ended by an exception that C\\+\\+ cannot carry";
};

TEST_F(what_is_no_cpp_exception, may_be_caught_in_its_own_branch) {
  heist::pool p(workers(2));
  const auto caught = [] {
    try {
      throw_foreign();
    } catch (...) {
      return 1;
    }
    return 0;
  };
  auto [a, b] = p.run([&] { return heist::join(caught, [] { return fib(10); }); });
  EXPECT_EQ(a + b, 56);
  // A first branch runs on its caller's stack: what it throws passes the join, which has waited for the second.
  EXPECT_TRUE(p.run([] {
    std::atomic<bool> begun{false}, ended{false};
    try {
      heist::join(
          [&] {
            EXPECT_TRUE(eventually([&] { return begun.load(); }));
            throw_foreign();
          },
          [&] {
            // It may be stopped, as nobody wants its result any more: that is an end, too.
            struct at_the_end {
              std::atomic<bool>& said;
              ~at_the_end() { said = true; }
            } const say{ended};
            begun = true;
            fib(15);
          });
    } catch (...) {
      return ended.load();
    }
    return false;
  }));
}

TEST_F(what_is_no_cpp_exception, ends_the_program_with_a_sentence_where_it_would_have_to_travel) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool(workers(1)).run(throw_foreign);
      },
      testing::KilledBySignal(SIGABRT), sentence);
  EXPECT_EXIT(
      {
        expendable();
        heist::pool(workers(1)).run([] {
          heist::scope s;
          s.spawn(throw_foreign);
        });
      },
      testing::KilledBySignal(SIGABRT), sentence);
}

TEST_F(what_is_no_cpp_exception, as_pthread_exit_ends_the_program_with_a_sentence) {
#if defined(HEIST_TSAN)
  GTEST_SKIP() << "ThreadSanitizer does not expect it on another stack than the thread's own";
#endif
  EXPECT_EXIT(
      {
        expendable();
        heist::pool(workers(2)).run([] { ::pthread_exit(nullptr); });
      },
      testing::KilledBySignal(SIGABRT), sentence);
}

// The thread that runs the task, wherever it is just then: in the task, that is, or in the search for another.
TEST_F(what_is_no_cpp_exception, as_pthread_cancel_ends_the_program_with_a_sentence) {
#if defined(HEIST_TSAN)
  GTEST_SKIP() << "ThreadSanitizer does not expect a cancelled thread to go on";
#endif
  EXPECT_EXIT(
      {
        expendable();
        heist::pool p(workers(2));
        p.run([] {
          std::atomic<pthread_t> thief{};
          std::atomic<bool> begun{false};
          heist::join(
              [&] {
                if (!eventually([&] { return begun.load(); })) std::_Exit(8);
                ::pthread_cancel(thief);
                for (;;) std::this_thread::yield();
              },
              [&] {
                thief = ::pthread_self();
                begun = true;
                for (;;) ::pause();
              });
        });
      },
      testing::KilledBySignal(SIGABRT), sentence);
}

std::jmp_buf back;

// Within one branch, without a join, spawn or sync between the two: the same stack and the same thread.
TEST(longjmp, may_stay_within_a_branch) {
#if defined(HEIST_ASAN) || defined(HEIST_TSAN)
  GTEST_SKIP() << "the sanitizers look for the place on the thread's own stack";
#endif
  heist::pool p(workers(2));
  const auto [a, b] = p.run([] {
    return heist::join(
        [] {
          if (setjmp(back) == 0) std::longjmp(back, 1);
          return 1;
        },
        [] { return fib(10); });
  });
  EXPECT_EQ(a + b, 56);
}

}  // namespace
