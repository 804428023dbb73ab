// Signals: a profiler's, a thousand a second, and a process that is stopped and goes on.

#include "tests/harsh/process.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <poll.h>
#include <sys/time.h>

#include <atomic>
#include <csignal>

namespace {

using namespace heist_test;

// Forks, spawns, parked strands and sleepers. False: a wrong answer.
bool all_kinds_of_work(heist::pool& p) {
  meet(p, 3);
  const long sum = p.run([] {
    std::atomic<long> n{0};
    heist::scope s;
    for (int i = 0; i < 200; ++i) s.spawn([&] { n += fib(8); });
    s.sync();
    return n + fib(23);
  });
  return sum == 200 * 21 + 28657;
}

std::atomic<int> ticks{0};

TEST(SIGPROF_a_thousand_times_a_second, changes_no_answer) {
  struct sigaction count = {};
  count.sa_handler = [](int) { ++ticks; };  // without SA_RESTART: system calls are interrupted
  struct sigaction former;
  ASSERT_EQ(::sigaction(SIGPROF, &count, &former), 0);
  const itimerval every_millisecond{{0, 1000}, {0, 1000}};
  ASSERT_EQ(::setitimer(ITIMER_PROF, &every_millisecond, nullptr), 0);
  heist::pool p(workers(4));
  bool right = true;
  while (right && ticks < 50) right = all_kinds_of_work(p);  // the timer counts processor time, which may be scarce
  const itimerval off{};
  ::setitimer(ITIMER_PROF, &off, nullptr);
  ::sigaction(SIGPROF, &former, nullptr);
  EXPECT_TRUE(right);
}

TEST(a_process_that_is_stopped, goes_on_where_it_was) {
#if defined(HEIST_TSAN)
  GTEST_SKIP() << "ThreadSanitizer allows no threads in the child of a process with threads";
#endif
  int told[2];
  ASSERT_EQ(::pipe(told), 0);
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    expendable();
    ::close(told[1]);
    heist::pool p(workers(4));
    pollfd over{told[0], POLLIN, 0};
    while (::poll(&over, 1, 0) == 0)
      if (!all_kinds_of_work(p)) std::_Exit(2);
    std::_Exit(0);
  }
  ::close(told[0]);
  for (int i = 0; i < 50; ++i) {
    ::kill(child, SIGSTOP);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, WUNTRACED), child);
    ASSERT_TRUE(WIFSTOPPED(status));
    ::kill(child, SIGCONT);
    ::usleep(1000);
  }
  ::close(told[1]);  // it is over
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
