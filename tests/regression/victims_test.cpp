// Found by stress under ThreadSanitizer (tests/stress/callers.cpp): the list of seats that thieves rob moves its last
// entry down when a caller from outside gives its seat back. A thief that had read the list's length before could then
// find a seat it had never been told of, made after that. And, seen while mending that: one that looked at every seat
// from the first to the last could miss the one that moved.

#include <heist/sched/scheduler.hpp>
#include <heist/sched/victims.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace {

using heist::detail::scheduler;
using heist::detail::seat;
using heist::detail::victim_list;

class a_victim_list : public testing::Test {
 protected:
  seat& make() {
    seats_.push_back(std::make_unique<seat>(pool_, alarms_, *pool_.seats.only().by.get()));
    return *seats_.back();
  }
  seat& add() {
    seat& s = make();
    list.add(s, [](seat&) {});
    return s;
  }
  scheduler& pool() { return pool_; }
  victim_list list{16};

 private:
  scheduler pool_{{.workers = 1, .stack_size = 256 << 10}};
  std::atomic<int> alarms_{0};
  std::vector<std::unique_ptr<seat>> seats_;
};

TEST_F(a_victim_list, shows_every_seat_that_stays_to_whoever_looks_at_all_while_others_come_and_go) {
  // Whenever it happens, and whichever goes.
  for (unsigned when = 0; when < 10; ++when) {
    for (unsigned leaver = 0; leaver < 10; ++leaver) {
      std::vector<seat*> in;
      for (int i = 0; i < 10; ++i) in.push_back(&add());
      std::set<seat*> seen;
      unsigned step = 0;
      list.read().for_each([&](seat& s) {
        seen.insert(&s);
        if (step++ != when) return;
        list.remove(*in[leaver]);
        in.push_back(&add());
      });
      for (unsigned i = 0; i < 10; ++i) EXPECT_TRUE(i == leaver || seen.contains(in[i])) << i << " missed at " << when;
      for (unsigned i = 0; i < in.size(); ++i)
        if (i != leaver) list.remove(*in[i]);
      ASSERT_EQ(list.read().size, 0u);
    }
  }
}

// ThreadSanitizer sees whether it is.
TEST_F(a_victim_list, shows_a_thief_no_seat_that_is_not_made_yet) {
  seat* oldest = &add();
  seat* second = &add();
  std::atomic<bool> over{false};
  std::thread thief([&] {
    bool made = true;
    while (!over.load(std::memory_order_relaxed)) {
      const auto seen = list.read();
      for (unsigned i = 0; i < seen.size; ++i) made = made && seen[i].by.get() == pool().seats.only().by.get();
    }
    EXPECT_TRUE(made);
  });
  for (int i = 0; i < 2000; ++i) {
    list.remove(*std::exchange(oldest, second));
    second = &add();
    if (i % 16 == 0) std::this_thread::yield();
  }
  over = true;
  thief.join();
}

}  // namespace
