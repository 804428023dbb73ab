// Found by a program under ThreadSanitizer: a strand that begins to wait asks whether it is unwinding, and so reads the
// exception state of its thread. A stack that came to a new thread did not come after the making of that thread's memory.

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

namespace {

TEST(a_strand, may_wait_on_a_thread_that_has_just_started) {
  for (int i = 0; i < 20; ++i) {
    std::atomic<int> ended{0};
    heist::pool fresh({.workers = 8});
    fresh.run([&] {
      heist::scope s;
      for (int k = 0; k < 100; ++k)
        s.spawn([&] {
          heist::sleep_for(std::chrono::microseconds(20));
          ++ended;
        });
    });
    ASSERT_EQ(ended, 100);
  }
}

}  // namespace
