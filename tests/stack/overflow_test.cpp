// A stack that overflows ends the program with a sentence; other faults are none of heist's business.

#include "tests/support.hpp"

#include <heist/base/sanitizer.hpp>
#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

using namespace heist_test;

heist::options small_stacks(unsigned workers) {
  heist::options o;
  o.workers = workers;
  o.stack_size = 64 * 1024;
  return o;
}

// Without end: each frame takes `bytes`, all of them touched.
template <std::size_t bytes>
[[gnu::noinline]] int recurse(int n) {
  volatile char frame[bytes];
  for (std::size_t i = 0; i < bytes; i += 256) frame[i] = static_cast<char>(n);
  const int deeper = n == -1 ? 0 : recurse<bytes>(n + 1);
  return deeper + frame[bytes / 2];
}

long endless_joins(long n) {
  auto [a, b] = heist::join([=] { return endless_joins(n + 1); }, [=] { return n; });
  return a + b;
}

class a_fault : public testing::Test {
 protected:
  void SetUp() override {
#if defined(HEIST_TSAN) || defined(HEIST_ASAN)
    GTEST_SKIP() << "the sanitizer reports the fault itself";
#endif
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
  // In the dying process: no core, and an end to one that does not die.
  static void expendable() {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::alarm(60);
  }
  // There, too: an end of another kind, if it does not happen.
  template <class Predicate>
  static void wait_for(Predicate happened) {
    if (!eventually(happened)) std::_Exit(8);
  }
};

constexpr const char* sentence =
    "heist: stack overflow on worker heist-[0-9]+: its stack of 64 KiB is full; raise heist::options::stack_size";

using a_stack_overflow = a_fault;

TEST_F(a_stack_overflow, says_which_worker_which_size_and_which_option) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool p(small_stacks(1));
        p.run([] { return recurse<100>(0); });
      },
      testing::KilledBySignal(SIGSEGV), sentence);
}

TEST_F(a_stack_overflow, of_nested_joins_says_it_too) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool p(small_stacks(2));
        p.run([] { return endless_joins(0); });
      },
      testing::KilledBySignal(SIGSEGV), sentence);
}

// A frame larger than a page steps over a small guard.
TEST_F(a_stack_overflow, by_frames_larger_than_a_page_says_it_too) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool p(small_stacks(1));
        p.run([] { return recurse<20'000>(0); });
      },
      testing::KilledBySignal(SIGSEGV), sentence);
}

TEST_F(a_stack_overflow, on_a_pools_own_thread_names_its_worker) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool p(small_stacks(2));
        p.run([] {
          std::atomic<bool> started{false};
          // The caller sits on worker 0's seat, so that the thief is worker 1.
          heist::join([&] { wait_for([&] { return started.load(); }); },
                      [&] {
                        started = true;
                        return recurse<100>(0);
                      });
        });
      },
      testing::KilledBySignal(SIGSEGV), "stack overflow on worker heist-1: its stack of 64 KiB");
}

TEST_F(a_stack_overflow, in_a_spawned_child_says_it_too) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool p(small_stacks(1));
        p.run([] {
          heist::scope s;
          s.spawn([] { recurse<100>(0); });
        });
      },
      testing::KilledBySignal(SIGSEGV), sentence);
}

TEST_F(a_stack_overflow, after_a_strand_has_moved_to_another_thread_says_it_too) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool p(small_stacks(2));
        p.run([&p] {
          std::atomic<bool> started{false};
          heist::join([&] { wait_for([&] { return started.load(); }); },
                      [&] {
                        started = true;
                        wait_for([&] { return p.stats().suspends == 1; });
                      });
          recurse<100>(0);
        });
      },
      testing::KilledBySignal(SIGSEGV), sentence);
}

TEST_F(a_stack_overflow, outside_of_every_pool_is_not_claimed) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool p(small_stacks(1));
        p.run([] {});
        std::fprintf(stderr, "as it ever was");
        std::thread([] { recurse<100>(0); }).join();
      },
      testing::KilledBySignal(SIGSEGV), "^as it ever was$");
}

TEST_F(a_stack_overflow, of_main_is_not_claimed_either) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool p(small_stacks(1));
        p.run([] {});
        std::fprintf(stderr, "as it ever was");
        recurse<100>(0);
      },
      testing::KilledBySignal(SIGSEGV), "^as it ever was$");
}

using another_fault = a_fault;

// Volatile: neither the compiler nor its warnings see the null.
volatile char* volatile nowhere = nullptr;

TEST_F(another_fault, reaches_the_handler_that_was_there_before) {
  EXPECT_EXIT(
      {
        expendable();
        struct sigaction mine = {};
        mine.sa_handler = [](int s) { std::_Exit(40 + (s == SIGSEGV)); };
        ::sigaction(SIGSEGV, &mine, nullptr);
        heist::pool p(small_stacks(1));
        p.run([] { *nowhere = 1; });
      },
      testing::ExitedWithCode(41), "^$");
}

TEST_F(another_fault, brings_the_former_handler_its_address) {
  EXPECT_EXIT(
      {
        expendable();
        struct sigaction mine = {};
        mine.sa_flags = SA_SIGINFO;
        mine.sa_sigaction = [](int, siginfo_t* info, void* state) {
          std::_Exit(state != nullptr && info->si_addr == reinterpret_cast<void*>(0x10) ? 42 : 43);
        };
        ::sigaction(SIGSEGV, &mine, nullptr);
        heist::pool p(small_stacks(1));
        p.run([] { *reinterpret_cast<volatile char*>(nowhere + 0x10) = 1; });
      },
      testing::ExitedWithCode(42), "^$");
}

TEST_F(another_fault, kills_the_process_as_if_heist_were_not_there) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool p(small_stacks(1));
        p.run([] { *nowhere = 1; });
      },
      testing::KilledBySignal(SIGSEGV), "^$");
}

TEST_F(another_fault, outside_of_every_pool_kills_it_likewise) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool p(small_stacks(1));
        p.run([] {});
        *nowhere = 1;
      },
      testing::KilledBySignal(SIGSEGV), "^$");
}

// It does not come again when the handler returns.
TEST_F(another_fault, sent_by_a_process_kills_it_likewise) {
  EXPECT_EXIT(
      {
        expendable();
        heist::pool p(small_stacks(1));
        p.run([] { ::raise(SIGSEGV); });
        std::_Exit(5);  // survived
      },
      testing::KilledBySignal(SIGSEGV), "^$");
  EXPECT_EXIT(
      {
        expendable();
        heist::pool p(small_stacks(1));
        p.run([] { ::raise(SIGBUS); });
        std::_Exit(5);
      },
      testing::KilledBySignal(SIGBUS), "^$");
}

TEST_F(another_fault, that_is_ignored_when_sent_stays_ignored) {
  EXPECT_EXIT(
      {
        expendable();
        std::signal(SIGSEGV, SIG_IGN);
        heist::pool p(small_stacks(1));
        p.run([] {
          ::raise(SIGSEGV);
          ::raise(SIGSEGV);
        });
        std::_Exit(17);
      },
      testing::ExitedWithCode(17), "^$");
}

}  // namespace
