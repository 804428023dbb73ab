// Signals: a profiler's, one every millisecond, and a process that is stopped and goes on.

#include "tests/harsh/process.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

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

// Threads that are interrupted, and how often each was. The handler finds its own by the number.
struct target {
  pid_t thread = 0;
  std::atomic<int> received{0};
};
std::array<target, 5> targets;  // the caller and its pool's

// Leaves errno alone: to ThreadSanitizer two strands of one thread would race for it.
void count_signal(int) {
  for (target& t : targets)
    if (t.thread == ::gettid()) ++t.received;
}

// One a millisecond, to each thread in turn. A timer would not do: ITIMER_PROF comes with the kernel's own ticks, of which
// there may be 250 a second.
TEST(SIGPROF_every_millisecond, changes_no_answer) {
  heist::pool p(workers(4));
  // A pool's threads block it. Whoever wants to interrupt them is let in by a task on each.
  const pid_t caller = targets[0].thread = ::gettid();
  std::atomic<std::size_t> seen{1};
  std::atomic<int> here{0};
  p.run([&] {
    heist::for_each_index(
        0, 4,
        [&](int) {
          sigset_t profilers;
          ::sigemptyset(&profilers);
          ::sigaddset(&profilers, SIGPROF);
          ::pthread_sigmask(SIG_UNBLOCK, &profilers, nullptr);
          if (::gettid() != caller) targets[seen++].thread = ::gettid();
          ++here;
          EXPECT_TRUE(eventually([&] { return here >= 4; }));
        },
        heist::grain{1});
  });
  const std::size_t found = seen;
  ASSERT_GE(found, 4u) << "the pool has no threads of its own";

  struct sigaction count = {};
  count.sa_handler = count_signal;  // without SA_RESTART: system calls are interrupted
  struct sigaction former;
  ASSERT_EQ(::sigaction(SIGPROF, &count, &former), 0);
  std::atomic<bool> over{false};
  std::atomic<int> sent{0};
  std::thread sender([&] {
    for (std::size_t turn = 0; !over; turn = (turn + 1) % found) {
      if (::syscall(SYS_tgkill, ::getpid(), targets[turn].thread, SIGPROF) == 0) ++sent;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  constexpr int enough = 200;  // for each thread
  auto all_have_had_enough = [&] {
    return std::all_of(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(found),
                       [](const target& t) { return t.received >= enough; });
  };
  bool right = true;
  int rounds = 0;
  while (right && !all_have_had_enough() && sent < 1000 * enough) {
    right = all_kinds_of_work(p);
    ++rounds;
  }
  over = true;
  sender.join();
  EXPECT_TRUE(right);
  int received = 0;
  for (std::size_t i = 0; i < found; ++i) {
    EXPECT_GE(targets[i].received, enough) << (i == 0 ? "the caller" : "a thread of the pool") << " had too few of " << sent;
    received += targets[i].received;
  }
  EXPECT_LE(received, sent);  // one that comes while the same is pending is not counted twice
  std::printf("%d signals sent, %d received by %zu threads, %d rounds of work\n", sent.load(), received, found, rounds);
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPROF, &ignore, nullptr);  // drops what is still on its way
  ::sigaction(SIGPROF, &former, nullptr);
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
