// A thread that is woken begins where it was sent, and may run anywhere again once it is up.

#include "tests/support.hpp"

#include <heist/sleep/parking.hpp>
#include <heist/sleep/placement.hpp>

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/resource.h>

#include <atomic>
#include <cstdlib>
#include <thread>

namespace {

using heist::detail::parking;
using heist::detail::placement;
using heist::detail::spot;
using heist_test::eventually;

cpu_set_t mask_of(pthread_t thread) {
  cpu_set_t mask;
  EXPECT_EQ(::pthread_getaffinity_np(thread, sizeof mask, &mask), 0);
  return mask;
}

// The caller is on one processor meanwhile, so that it knows which.
class pinned {
 public:
  pinned() : before_(mask_of(::pthread_self())) {
    CPU_ZERO(&here_);
    CPU_SET(::sched_getcpu(), &here_);
    ::sched_setaffinity(0, sizeof here_, &here_);
  }
  ~pinned() { ::sched_setaffinity(0, sizeof before_, &before_); }
  const cpu_set_t& here() const { return here_; }
  const cpu_set_t& before() const { return before_; }

 private:
  cpu_set_t before_, here_;
};

// A thread that sleeps, is sent somewhere, is woken and arrives; its masks on the way.
struct journey {
  cpu_set_t before, sent, woken, after;
};

template <class Meanwhile>
journey travel(spot where, Meanwhile meanwhile) {
  journey j;
  placement p;
  parking bed, end;
  std::thread sleeper([&] {
    bed.wait();
    j.woken = mask_of(::pthread_self());
    p.arrive();
    j.after = mask_of(::pthread_self());
    end.wait();
  });
  const pthread_t thread = sleeper.native_handle();
  {
    const pinned me;
    ::pthread_setaffinity_np(thread, sizeof me.before(), &me.before());
    j.before = mask_of(thread);
    // On a busy machine nobody is sent for a while.
    EXPECT_TRUE(eventually([&] {
      p.send(thread, where);
      j.sent = mask_of(thread);
      return !CPU_EQUAL(&j.sent, &j.before) || CPU_COUNT(&j.before) == 1;
    }));
    meanwhile(thread, me.here());
    bed.post();
    end.post();
    sleeper.join();
  }
  return j;
}

constexpr auto nothing = [](pthread_t, const cpu_set_t&) {};

bool equal(const cpu_set_t& a, const cpu_set_t& b) { return CPU_EQUAL(&a, &b); }

class a_woken_thread : public testing::Test {
 protected:
  void SetUp() override {
    if (::getpriority(PRIO_PROCESS, 0) > 0 || ::sched_getscheduler(0) != SCHED_OTHER)
      GTEST_SKIP() << "a process that gives way to others sends nobody";
    if (std::getenv("HEIST_PLACEMENT") != nullptr) GTEST_SKIP() << "the environment has chosen";
  }
};

TEST_F(a_woken_thread, begins_beside_the_one_that_wakes_it) {
  const journey j = travel(spot::beside, nothing);
  if (CPU_COUNT(&j.before) == 1) GTEST_SKIP() << "one processor";
  EXPECT_EQ(CPU_COUNT(&j.sent), CPU_COUNT(&j.before) - 1);
  EXPECT_TRUE(equal(j.woken, j.sent));
  EXPECT_TRUE(equal(j.after, j.before));
}

TEST_F(a_woken_thread, takes_the_place_of_one_that_is_about_to_wait) {
  cpu_set_t here;
  const journey j = travel(spot::instead, [&](pthread_t, const cpu_set_t& pinned_to) { here = pinned_to; });
  if (CPU_COUNT(&j.before) == 1) GTEST_SKIP() << "one processor";
  EXPECT_TRUE(equal(j.sent, here));
  EXPECT_TRUE(equal(j.after, j.before));
}

using a_mask_chosen_by_somebody_else = a_woken_thread;
TEST_F(a_mask_chosen_by_somebody_else, holds) {
  cpu_set_t chosen;
  const journey j = travel(spot::beside, [&](pthread_t thread, const cpu_set_t& here) {
    chosen = here;
    ::pthread_setaffinity_np(thread, sizeof chosen, &chosen);
  });
  EXPECT_TRUE(equal(j.after, chosen));
}

TEST(a_thread_bound_to_one_processor, stays_there) {
  placement p;
  const pinned me;
  p.send(::pthread_self(), spot::beside);
  EXPECT_TRUE(equal(mask_of(::pthread_self()), me.here()));
  p.arrive();
  EXPECT_TRUE(equal(mask_of(::pthread_self()), me.here()));
}

}  // namespace
