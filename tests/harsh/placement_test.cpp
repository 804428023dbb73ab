// A sandbox that refuses sched_setaffinity, by which woken threads are told where to begin (sleep/placement.hpp): from
// the start, to a pool at work, to a thread on its way. It is tried once more, and never again.

#include "tests/harsh/everything.hpp"
#include "tests/harsh/masks.hpp"
#include "tests/harsh/sandboxed.hpp"
#include "tests/sandbox.hpp"

#include <heist/heist.hpp>
#include <heist/sleep/parking.hpp>
#include <heist/sleep/placement.hpp>

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/resource.h>

#include <cstdlib>
#include <thread>

namespace {

using namespace heist_test;

cpu_set_t own_mask() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  ::sched_getaffinity(0, sizeof mask, &mask);
  return mask;
}

bool refuse_affinity() { return refuse_and_count(SYS_sched_setaffinity); }

// A worker that sleeps is woken, and the right answer comes out.
void wake_one(heist::pool& p) {
  if (!threads_rest()) std::_Exit(3);
  p.run(need_a_thief);
  if (p.run([] { return fib(16); }) != 987) std::_Exit(2);
}

class affinity_refused : public sandboxed {
 protected:
  void SetUp() override {
    sandboxed::SetUp();
    const cpu_set_t mask = own_mask();
    if (CPU_COUNT(&mask) < 2) GTEST_SKIP() << "one processor: nobody is sent";
    if (::getpriority(PRIO_PROCESS, 0) > 0 || ::sched_getscheduler(0) != SCHED_OTHER)
      GTEST_SKIP() << "a process that gives way to others sends nobody";
    if (std::getenv("HEIST_PLACEMENT") != nullptr) GTEST_SKIP() << "the environment has chosen";
  }
};

TEST_F(affinity_refused, from_the_start_is_tried_once) {
  in_sandbox([] {
    const cpu_set_t before = own_mask();
    if (!refuse_affinity()) std::_Exit(no_sandbox);
    heist::pool p(workers(3));
    for (int i = 0; i < 20; ++i) wake_one(p);
    if (a_bit_of_everything() != answer) std::_Exit(2);
    if (refusals != 1) std::_Exit(4);
    if (!all_threads_have(before)) std::_Exit(5);
  });
}

TEST_F(affinity_refused, to_a_pool_at_work_is_not_tried_for_long) {
  in_sandbox([] {
    const cpu_set_t before = own_mask();
    heist::pool p(workers(3));
    for (int i = 0; i < 20; ++i) wake_one(p);
    // Nobody is on its way: who was sent has its mask back, and nobody was woken while we looked.
    const bool quiet = eventually([&] {
      const auto wakes = p.stats().wakes;
      return threads_rest() && all_threads_have(before) && p.stats().wakes == wakes;
    });
    if (!quiet) std::_Exit(6);
    if (!refuse_affinity()) std::_Exit(no_sandbox);
    // While others are seen to use the processors, nobody is sent.
    const bool tried = eventually([&] {
      wake_one(p);
      return refusals > 0;
    });
    if (!tried || !threads_rest()) std::_Exit(7);
    // Each thread may have tried before it saw that another had.
    const int at_first = refusals;
    if (at_first > 4) std::_Exit(8);
    for (int i = 0; i < 20; ++i) wake_one(p);
    if (refusals != at_first) std::_Exit(4);
    if (!all_threads_have(before)) std::_Exit(5);
  });
}

// It stays where it was sent, as nobody can change that; and nobody else is sent.
TEST_F(affinity_refused, to_a_thread_on_its_way_is_not_tried_again) {
  in_sandbox([] {
    using namespace heist::detail;
    placement journey, next;
    parking bed, arrived;
    std::thread sleeper([&] {
      bed.wait();
      journey.arrive();
      arrived.post();
    });
    const cpu_set_t before = own_mask();
    journey.send(sleeper.native_handle(), spot::beside);
    if (all_threads_have(before)) std::_Exit(6);
    if (!refuse_affinity()) std::_Exit(no_sandbox);
    bed.post();
    arrived.wait();
    sleeper.join();
    if (refusals != 1) std::_Exit(7);
    ::usleep(200'000);  // longer than the pause after a thread that came late
    next.send(::pthread_self(), spot::beside);
    if (refusals != 1) std::_Exit(4);
  });
}

// For filters that kill.
TEST_F(affinity_refused, is_never_tried_if_placement_is_off) {
  in_sandbox([] {
    ::setenv("HEIST_PLACEMENT", "off", 1);
    if (!refuse_affinity()) std::_Exit(no_sandbox);
    heist::pool p(workers(3));
    for (int i = 0; i < 20; ++i) wake_one(p);
    if (refusals != 0) std::_Exit(4);
  });
}

// It may be kept from one processor while another is idle.
TEST_F(affinity_refused, is_never_tried_by_a_process_that_gives_way_to_others) {
  auto nobody_is_sent = [] {
    if (!refuse_affinity()) std::_Exit(no_sandbox);
    heist::pool p(workers(3));
    for (int i = 0; i < 20; ++i) wake_one(p);
    if (refusals != 0) std::_Exit(4);
  };
  in_sandbox([&] {
    if (::setpriority(PRIO_PROCESS, 0, 1) != 0) std::_Exit(no_sandbox);
    nobody_is_sent();
  });
  in_sandbox([&] {
    const sched_param usual{};
    if (::sched_setscheduler(0, SCHED_BATCH, &usual) != 0) std::_Exit(no_sandbox);
    nobody_is_sent();
  });
}

}  // namespace
