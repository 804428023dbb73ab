// How a heist::mutex goes from one holder to the next: in which order, and with what they wrote. Small, so that script/test
// can run it under ThreadSanitizer, which alone sees an order that is too weak for another machine.

#include "tests/join/support.hpp"

#include <sys/syscall.h>

#include <fstream>
#include <vector>

namespace {

using namespace heist_test;

// How often the thread has begun to wait in the kernel, if it waits there now; otherwise 0.
long rests(pid_t thread) {
  std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/status");
  char state = '?';
  long times = 0;
  for (std::string key; status >> key;) {
    if (key == "State:") status >> state;
    if (key == "voluntary_ctxt_switches:") status >> times;
  }
  return state == 'S' ? times : 0;
}
bool sleeps(pid_t thread) { return rests(thread) > 0; }

TEST(waiters, get_the_mutex_in_the_order_they_came_if_nobody_else_wants_it) {
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

// A thread that waits for a mutex, and then holds it for a moment.
class waiter {
 public:
  explicit waiter(heist::mutex& m)
      : thread_([this, &m] {
          id_ = static_cast<pid_t>(::syscall(SYS_gettid));
          m.lock();
          place_ = ++places;
          served_ = true;
          m.unlock();
        }) {}
  ~waiter() { thread_.join(); }
  // Whether it waits, and has begun to after the last call that said so; false when it has been served.
  bool waits() {
    long now = 0;
    EXPECT_TRUE(eventually([&] { return served_ || (id_ != 0 && (now = rests(id_)) > rests_); }));
    rests_ = now;
    return !served_;
  }
  bool served() const { return served_; }
  // Grows from one that was served to the next.
  int place() const { return place_; }

 private:
  std::atomic<pid_t> id_{0};
  std::atomic<bool> served_{false};
  static inline std::atomic<int> places{0};
  std::atomic<int> place_{0};
  long rests_ = 0;
  std::thread thread_;
};

TEST(one_that_is_awake, may_pass_a_waiter_that_has_not_waited_for_long) {
  EXPECT_TRUE(eventually([] {
    heist::mutex m;
    m.lock();
    waiter w(m);
    bool passed = w.waits();
    m.unlock();
    passed = m.try_lock() && passed;
    if (passed) m.unlock();
    return passed;
  }));
}

TEST(a_waiter, gets_the_mutex_from_its_holder_when_it_has_waited_for_long_and_been_passed) {
  int passed = 0;
  for (int tries = 0; passed < 3 && tries < 1'000; ++tries) {
    heist::mutex m;
    m.lock();
    waiter w(m);
    EXPECT_TRUE(w.waits());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    m.unlock();
    if (!m.try_lock()) continue;  // it was fast
    if (w.served()) {             // even faster
      m.unlock();
      continue;
    }
    // It gets up, finds itself passed, and lies down again.
    if (w.waits()) {
      ++passed;
      m.unlock();
      const bool taken = m.try_lock();
      EXPECT_TRUE(!taken || w.served());
      if (taken) m.unlock();
    } else {
      m.unlock();
    }
  }
  EXPECT_EQ(passed, 3);
}

TEST(a_waiter, stays_the_first_when_it_has_been_passed) {
  int passed = 0;
  for (int tries = 0; passed < 3 && tries < 1'000; ++tries) {
    heist::mutex m;
    m.lock();
    waiter first(m);
    EXPECT_TRUE(first.waits());
    waiter second(m);
    EXPECT_TRUE(second.waits());
    m.unlock();
    if (!m.try_lock()) continue;  // it was fast
    if (first.served() || !first.waits()) {
      m.unlock();
      continue;
    }
    ++passed;
    m.unlock();
    EXPECT_TRUE(eventually([&] { return first.served() && second.served(); }));
    EXPECT_LT(first.place(), second.place());
  }
  EXPECT_EQ(passed, 3);
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
