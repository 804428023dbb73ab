// Threads bound to a part of the processors are sent within it, and have it back when they are up. That takes three
// processors or more: here the machine has four, and is made up, so that this runs on any.

#include "tests/support.hpp"

#include <heist/heist.hpp>
#include <heist/sleep/parking.hpp>
#include <heist/sleep/placement.hpp>

#include <gtest/gtest.h>

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <mutex>
#include <thread>

namespace {

using heist::detail::parking;
using heist::detail::placement;
using heist::detail::spot;
using heist_test::eventually;

[[maybe_unused]] const int sent_whatever_the_environment_says = ::unsetenv("HEIST_PLACEMENT");

cpu_set_t processors(std::initializer_list<int> which) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : which) CPU_SET(cpu, &set);
  return set;
}

bool equal(const cpu_set_t& a, const cpu_set_t& b) { return CPU_EQUAL(&a, &b); }

struct machine {
  std::mutex lock;
  const cpu_set_t all = processors({0, 1, 2, 3});
  cpu_set_t at_first = all;  // of threads that nobody has bound
  std::map<pthread_t, cpu_set_t> masks;
  int sent = 0;   // how often somebody was bound to another mask than its own
  int alone = 0;  // and of these, to one processor: instead of its waker
  std::map<pthread_t, int> bound;  // how often each was, to any mask

  cpu_set_t& mask_of(pthread_t thread) { return masks.try_emplace(thread, at_first).first->second; }
};

machine& here() {
  static machine& m = *new machine;
  return m;
}

int bind(pthread_t thread, std::size_t size, const cpu_set_t* wanted) {
  if (size != sizeof *wanted) return EINVAL;
  const std::lock_guard hold(here().lock);
  cpu_set_t granted;
  CPU_AND(&granted, wanted, &here().all);
  if (CPU_COUNT(&granted) == 0) return EINVAL;
  here().sent += !equal(granted, here().at_first);
  here().alone += CPU_COUNT(&granted) == 1;
  ++here().bound[thread];
  here().mask_of(thread) = granted;
  return 0;
}

int look(pthread_t thread, std::size_t size, cpu_set_t* mask) {
  if (size != sizeof *mask) return EINVAL;
  const std::lock_guard hold(here().lock);
  *mask = here().mask_of(thread);
  return 0;
}

int as_system_call(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

cpu_set_t mask_of(pthread_t thread) {
  cpu_set_t mask;
  EXPECT_EQ(look(thread, sizeof mask, &mask), 0);
  return mask;
}

}  // namespace

// What heist asks the system: it gets these, as they are in the program.
extern "C" {
int pthread_setaffinity_np(pthread_t thread, std::size_t size, const cpu_set_t* mask) noexcept { return bind(thread, size, mask); }
int pthread_getaffinity_np(pthread_t thread, std::size_t size, cpu_set_t* mask) noexcept { return look(thread, size, mask); }
int sched_setaffinity(pid_t, std::size_t size, const cpu_set_t* mask) noexcept {
  return as_system_call(bind(::pthread_self(), size, mask));
}
int sched_getaffinity(pid_t, std::size_t size, cpu_set_t* mask) noexcept {
  return as_system_call(look(::pthread_self(), size, mask));
}
int sched_getcpu() noexcept {
  const cpu_set_t mask = mask_of(::pthread_self());
  int cpu = 0;
  while (!CPU_ISSET(cpu, &mask)) ++cpu;
  return cpu;
}
int sched_getscheduler(pid_t) noexcept { return SCHED_OTHER; }
int getpriority(__priority_which_t, id_t) noexcept { return 0; }
}

namespace {

// A thread that sleeps with a mask, is sent somewhere, and arrives; by a caller on processor 0.
struct journey {
  cpu_set_t sent, after;
};

template <class Meanwhile>
journey travel(const cpu_set_t& own, spot where, Meanwhile meanwhile) {
  journey j;
  placement p;
  parking bed;
  std::thread sleeper([&] {
    bed.wait();
    p.arrive();
    j.after = mask_of(::pthread_self());
  });
  const pthread_t thread = sleeper.native_handle();
  bind(thread, sizeof own, &own);
  // After one that came late nobody is sent for a while.
  EXPECT_TRUE(eventually([&] {
    p.send(thread, where);
    j.sent = mask_of(thread);
    return !equal(j.sent, own);
  }));
  meanwhile(thread);
  bed.post();
  sleeper.join();
  return j;
}

constexpr auto nothing = [](pthread_t) {};

TEST(a_thread_bound_to_three_of_four_processors, begins_beside_its_waker_and_has_all_three_back) {
  const journey j = travel(processors({0, 1, 2}), spot::beside, nothing);
  EXPECT_TRUE(equal(j.sent, processors({1, 2})));
  EXPECT_TRUE(equal(j.after, processors({0, 1, 2})));
}

TEST(a_thread_bound_to_three_of_four_processors, begins_instead_of_its_waker_and_has_all_three_back) {
  const journey j = travel(processors({0, 1, 2}), spot::instead, nothing);
  EXPECT_TRUE(equal(j.sent, processors({0})));
  EXPECT_TRUE(equal(j.after, processors({0, 1, 2})));
}

TEST(a_thread_bound_to_three_of_four_processors, keeps_others_that_are_chosen_for_it_on_the_way) {
  const cpu_set_t chosen = processors({0, 3});
  const journey j = travel(processors({0, 1, 2}), spot::beside,
                           [&](pthread_t thread) { bind(thread, sizeof chosen, &chosen); });
  EXPECT_TRUE(equal(j.after, chosen));
}

TEST(a_thread_that_may_run_anywhere, may_do_so_again) {
  const journey j = travel(processors({0, 1, 2, 3}), spot::beside, nothing);
  EXPECT_TRUE(equal(j.sent, processors({1, 2, 3})));
  EXPECT_TRUE(equal(j.after, processors({0, 1, 2, 3})));
}

// Others use the processors, too, and the kernel knows better for a while.
TEST(a_thread_that_comes_late, is_the_last_to_be_sent_for_a_tenth_of_a_second) {
  using clock = std::chrono::steady_clock;
  const cpu_set_t all = processors({0, 1, 2, 3});
  bool seen = false;
  for (int i = 0; i < 100 && !seen; ++i) {
    travel(all, spot::beside, [](pthread_t) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
    const clock::time_point up = clock::now();
    placement next;
    next.send(::pthread_self(), spot::beside);
    const bool sent = !equal(mask_of(::pthread_self()), all);
    next.arrive();
    if (clock::now() - up > std::chrono::milliseconds(50)) continue;  // so busy that it may have been over
    EXPECT_FALSE(sent);
    seen = true;
  }
  EXPECT_TRUE(seen);
  // And it is over some time.
  EXPECT_TRUE(equal(travel(all, spot::beside, nothing).sent, processors({1, 2, 3})));
}

// The mask is inherited by the threads of a pool; they are sent about, and have it in the end.
TEST(a_pool_bound_to_three_of_four_processors, stays_there) {
  const cpu_set_t subset = processors({0, 1, 2});
  {
    const std::lock_guard hold(here().lock);
    here().masks.clear();
    here().at_first = subset;
    here().sent = 0;
  }
  heist::pool p(heist_test::workers(3));
  EXPECT_TRUE(eventually([&] {
    heist_test::meet(p, 2);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // so that somebody sleeps
    const std::lock_guard hold(here().lock);
    return here().sent >= 20;
  }));
  EXPECT_TRUE(eventually([&] {
    const std::lock_guard hold(here().lock);
    return std::all_of(here().masks.begin(), here().masks.end(), [&](const auto& m) { return equal(m.second, subset); });
  }));
}

// The caller leaves its strand to a thief and waits, while there is work that nobody is awake for: its seat's thread is woken.
void call_and_wait(heist::pool& p) {
  std::atomic<bool> left{false}, taken{false};
  p.run([&] {
    heist::join([&] { EXPECT_TRUE(eventually([&] { return left.load(); })); },
                [&] {
                  heist::join(
                      [&] {
                        left = true;  // the other branch lies there for the thread of the caller's seat
                        EXPECT_TRUE(eventually([&] { return taken.load(); }));
                      },
                      [&] { taken = true; });
                });
  });
}

// That thread begins where the caller was.
TEST(a_caller_that_waits, leaves_its_processor_to_the_thread_it_wakes) {
  auto sent_alone = [] {
    const std::lock_guard hold(here().lock);
    return here().alone;
  };
  heist::pool p(heist_test::workers(2));
  const int before = sent_alone();
  // After one that came late nobody is sent for a while.
  EXPECT_TRUE(eventually([&] {
    call_and_wait(p);
    return sent_alone() > before;
  }));
}

int times_bound(pthread_t thread) {
  const std::lock_guard hold(here().lock);
  return here().bound[thread];
}
int times_bound() {
  const std::lock_guard hold(here().lock);
  int all = 0;
  for (const auto& [thread, times] : here().bound) all += times;
  return all;
}

TEST(a_caller_that_waits, keeps_its_mask_unless_the_pool_is_told_to_place_callers) {
  const int before = times_bound(::pthread_self());
  for (const heist::placement usual : {heist::placement::automatic, heist::placement::workers}) {
    heist::pool p({.workers = 2, .placement = usual});
    const int others = times_bound();
    for (int i = 0; i < 50; ++i) call_and_wait(p);
    EXPECT_TRUE(eventually([&] { return call_and_wait(p), times_bound() > others; }));
    EXPECT_EQ(times_bound(::pthread_self()), before);
  }
  heist::pool p({.workers = 2, .placement = heist::placement::all});
  EXPECT_TRUE(eventually([&] { return call_and_wait(p), times_bound(::pthread_self()) > before; }));
}

// With a cap on callers, those that wait for a place are woken by those that leave.
TEST(a_caller_that_waits_for_a_place, keeps_its_mask_unless_the_pool_is_told_to_place_callers) {
  auto bound = [](heist::placement how) {
    heist::pool p({.workers = 1, .most_callers = 1, .placement = how});
    std::atomic<bool> inside{false}, waiting{false};
    int times = 0;
    std::thread second([&] {
      const int before = times_bound(::pthread_self());  // another thread may have had this name
      EXPECT_TRUE(eventually([&] { return inside.load(); }));
      waiting = true;
      p.run([] {});
      times = times_bound(::pthread_self()) - before;
    });
    p.run([&] {
      inside = true;
      EXPECT_TRUE(eventually([&] { return waiting.load(); }));
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    });
    second.join();
    return times;
  };
  for (int i = 0; i < 10; ++i) EXPECT_EQ(bound(heist::placement::automatic), 0);
  EXPECT_TRUE(eventually([&] { return bound(heist::placement::all) > 0; }));
}

TEST(a_pool_with_placement_off, sends_nobody) {
  const int before = times_bound();
  heist::pool p({.workers = 2, .placement = heist::placement::off});
  for (int i = 0; i < 50; ++i) call_and_wait(p);
  EXPECT_EQ(times_bound(), before);
}

}  // namespace
