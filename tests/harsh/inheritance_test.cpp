// Threads start when somebody needs them. They have the processors and the priority of the thread that made the pool, as they were
// then, and no signals: nothing of the caller that happened to come first.

#include "tests/harsh/masks.hpp"
#include "tests/harsh/process.hpp"
#include "tests/harsh/sandboxed.hpp"
#include "tests/sandbox.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include <csignal>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace heist_test;

// What a thread has that it may have inherited.
struct standing {
  cpu_set_t processors;
  int policy, niceness;
  sigset_t blocked;
};

standing own() {
  standing s;
  CPU_ZERO(&s.processors);
  ::sched_getaffinity(0, sizeof s.processors, &s.processors);
  s.policy = ::sched_getscheduler(0);
  s.niceness = ::getpriority(PRIO_PROCESS, 0);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &s.blocked);
  return s;
}

void pin_to(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  ::sched_setaffinity(0, sizeof one, &one);
}

bool runs_in_a_pool_thread() {
  char name[16] = "";
  ::pthread_getname_np(::pthread_self(), name, sizeof name);
  return std::string_view(name).starts_with("heist-");
}

// The caller and three threads of the pool, all at once.
std::vector<standing> workers_of(heist::pool& p) {
  std::vector<standing> all;
  std::mutex lock;
  std::atomic<int> here{0};
  p.run([&] {
    heist::for_each_index(
        0, 4,
        [&](int) {
          ++here;
          EXPECT_TRUE(eventually([&] { return here >= 4; }));
          if (!runs_in_a_pool_thread()) return;
          const std::lock_guard hold(lock);
          all.push_back(own());
        },
        heist::grain{1});
  });
  EXPECT_GE(all.size(), 3u);
  return all;
}

template <class F>
void in_a_thread(F f) {
  std::thread(f).join();
}

bool same_urgency(const standing& a, const standing& b) { return a.policy == b.policy && a.niceness == b.niceness; }

TEST(a_pools_threads, have_nothing_of_the_caller_that_comes_first) {
  const standing maker = own();
  heist::pool p(workers(4));
  in_a_thread([&] {
    pin_to(::sched_getcpu());
    const sched_param none{};
    ASSERT_EQ(::sched_setscheduler(0, SCHED_BATCH, &none), 0);
    ASSERT_EQ(::setpriority(PRIO_PROCESS, 0, maker.niceness + 3), 0);
    const standing caller = own();
    // It may not get its priority back either, without the right to.
    bool may_return = false;
    in_a_thread([&] { may_return = ::setpriority(PRIO_PROCESS, 0, maker.niceness) == 0; });
    for (int round = 0; round < 20; ++round) {
      for (const standing& w : workers_of(p)) {
        // One that was just woken has its own mask, too.
        EXPECT_TRUE(CPU_EQUAL(&w.processors, &maker.processors)) << CPU_COUNT(&w.processors);
        EXPECT_EQ(w.policy, maker.policy);
        EXPECT_TRUE(w.niceness == maker.niceness || !may_return) << w.niceness;
      }
    }
    const standing after = own();
    EXPECT_TRUE(CPU_EQUAL(&after.processors, &caller.processors));
    EXPECT_TRUE(same_urgency(after, caller));
  });
}

TEST(a_pools_threads, have_what_its_maker_had_when_it_made_the_pool) {
  const standing caller = own();
  std::optional<heist::pool> p;
  standing maker;
  in_a_thread([&] {
    pin_to(::sched_getcpu());
    ASSERT_EQ(::setpriority(PRIO_PROCESS, 0, caller.niceness + 3), 0);
    maker = own();
    p.emplace(workers(4));
    const sched_param none{};
    ASSERT_EQ(::sched_setscheduler(0, SCHED_IDLE, &none), 0);  // later: nothing to the pool
  });
  for (int round = 0; round < 20; ++round) {
    for (const standing& w : workers_of(*p)) {
      EXPECT_TRUE(CPU_EQUAL(&w.processors, &maker.processors)) << CPU_COUNT(&w.processors);
      EXPECT_TRUE(same_urgency(w, maker)) << w.policy << ", " << w.niceness;
    }
  }
}

// sched(7): its children begin at 0.
TEST(a_pools_threads, have_no_priority_that_their_maker_keeps_to_itself) {
  in_a_thread([] {
    const sched_param none{};
    if (::sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &none) != 0 || ::setpriority(PRIO_PROCESS, 0, -3) != 0)
      GTEST_SKIP() << "without the right to a better priority";
    heist::pool p(workers(4));
    for (const standing& w : workers_of(p)) {
      EXPECT_EQ(w.policy, SCHED_OTHER);
      EXPECT_EQ(w.niceness, 0);
    }
  });
}

TEST(a_pools_threads, take_no_signals_but_those_that_they_cause) {
  heist::pool p(workers(4));
  in_a_thread([&] {
    sigset_t odd;
    ::sigemptyset(&odd);
    for (const int signal : {SIGSEGV, SIGFPE, SIGUSR2}) ::sigaddset(&odd, signal);
    ::pthread_sigmask(SIG_SETMASK, &odd, nullptr);
    for (const standing& w : workers_of(p)) {
      for (int signal = 1; signal <= SIGRTMAX; ++signal) {
        if (signal == SIGKILL || signal == SIGSTOP) continue;
        if (signal > SIGSYS && signal < SIGRTMIN) continue;  // the C library's own
        const bool synchronous = signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
                                 signal == SIGTRAP || signal == SIGSYS;
        EXPECT_EQ(::sigismember(&w.blocked, signal), synchronous ? 0 : 1) << signal;
      }
    }
    const standing after = own();
    for (int signal = 1; signal < SIGSYS; ++signal)
      EXPECT_EQ(::sigismember(&after.blocked, signal), ::sigismember(&odd, signal)) << signal;
  });
}

using a_priority_that_cannot_be_had = sandboxed;
TEST_F(a_priority_that_cannot_be_had, is_told_once_and_the_pool_works) {
  const ending e = in_child([] {
    heist::pool p(workers(4));
    if (!answer_call(SYS_setpriority, SECCOMP_RET_ERRNO | EPERM)) std::_Exit(no_sandbox);
    in_a_thread([&] {
      const sched_param none{};
      ::sched_setscheduler(0, SCHED_BATCH, &none);
      if (!answer_call(SYS_sched_setscheduler, SECCOMP_RET_ERRNO | EPERM)) std::_Exit(no_sandbox);
      if (p.run([] { return fib(18); }) != 2584) std::_Exit(2);
      workers_of(p);
    });
  });
  if (e.code == no_sandbox) GTEST_SKIP() << "this kernel does not let a process refuse itself a system call";
  EXPECT_EQ(e.code, 0) << "signal " << e.signal << ": " << e.said;
  EXPECT_TRUE(e.said.starts_with("heist: workers were started by a thread of lower priority")) << e.said;
  EXPECT_EQ(e.said.find('\n'), e.said.size() - 1) << e.said;
}

}  // namespace
