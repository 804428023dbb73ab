// How a heist::mutex goes from one holder to the next: in which order, and with what they wrote. Small, so that script/test
// can run it under ThreadSanitizer, which alone sees an order that is too weak for another machine.

#include "tests/join/support.hpp"

#include <sys/syscall.h>

#include <fstream>
#include <vector>

namespace {

using namespace heist_test;

// The thread is in the kernel and waits.
bool sleeps(pid_t thread) {
  std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/status");
  char state = '?';
  for (std::string key; status >> key;)
    if (key == "State:") status >> state;
  return state == 'S';
}

TEST(waiters, get_the_mutex_in_the_order_they_came) {
  for (int round = 0; round < 5; ++round) {
    heist::mutex m;
    std::vector<int> served;  // under m
    std::vector<std::thread> waiters;
    m.lock();
    for (int i = 0; i < 6; ++i) {
      std::atomic<pid_t> id{0};
      waiters.emplace_back([&, i] {
        id = static_cast<pid_t>(::syscall(SYS_gettid));
        m.lock();
        served.push_back(i);
        m.unlock();
      });
      // The only thing it can wait for is the mutex: the next one comes after it.
      EXPECT_TRUE(eventually([&] { return id != 0 && sleeps(id); }));
    }
    m.unlock();
    for (std::thread& t : waiters) t.join();
    EXPECT_EQ(served, (std::vector{0, 1, 2, 3, 4, 5}));
  }
}

// Two threads in turns, which they tell each other in a way that orders nothing: only the mutex hands over `plain`.
TEST(a_holder, sees_what_the_one_before_wrote) {
  heist::mutex m;
  std::atomic<int> turn{0};
  int plain = 0;
  auto take_turns = [&](int first) {
    for (int i = first; i < 100; i += 2) {
      EXPECT_TRUE(eventually([&] { return turn.load(std::memory_order_relaxed) == i; }));
      m.lock();
      EXPECT_EQ(plain++, i);
      m.unlock();
      turn.store(i + 1, std::memory_order_relaxed);
    }
  };
  std::thread other([&] { take_turns(1); });
  take_turns(0);
  other.join();
}

// The holder before had waited, and nobody waits now: the slow way out.
TEST(a_holder, sees_what_one_wrote_that_had_waited) {
  for (int round = 0; round < rounds(50); ++round) {
    heist::mutex m;
    std::atomic<bool> over{false};
    std::atomic<pid_t> id{0};
    int plain = 0;
    m.lock();
    std::thread waiter([&] {
      id = static_cast<pid_t>(::syscall(SYS_gettid));
      m.lock();
      plain = 1;
      m.unlock();
      over.store(true, std::memory_order_relaxed);
    });
    EXPECT_TRUE(eventually([&] { return id != 0 && sleeps(id); }));
    m.unlock();
    EXPECT_TRUE(eventually([&] { return over.load(std::memory_order_relaxed); }));
    EXPECT_TRUE(m.try_lock());
    EXPECT_EQ(plain, 1);
    m.unlock();
    waiter.join();
  }
}

}  // namespace
