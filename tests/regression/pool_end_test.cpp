// Found by a model (tests/model/README.md, "The pool's end"): a thread of one pool that handed a strand back to another was
// still inside that pool when the strand ended, its run() returned and the pool was destroyed.

#include <heist/heist.hpp>

#include <gtest/gtest.h>

namespace {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int rounds = 300;
#else
constexpr int rounds = 3000;
#endif

TEST(a_pool, may_be_destroyed_as_soon_as_a_strand_that_came_back_from_another_pool_has_ended) {
  heist::pool other({.workers = 2});
  for (int i = 0; i < rounds; ++i) {
    heist::pool passing({.workers = 2});
    const int sum = passing.run([&] {
      return other.run([] {
        // The root goes on on another thread than its caller's, and ends there.
        auto [a, b] = heist::join([] { return 1; }, [] { return 2; });
        heist::scope s;
        int c = 0;
        s.spawn([&c] { c = 3; });
        s.sync();
        return a + b + c;
      });
    });
    ASSERT_EQ(sum, 6);
  }
}

TEST(a_pool, may_be_destroyed_as_soon_as_a_strand_that_got_a_mutex_from_outside_has_ended) {
  for (int i = 0; i < rounds; ++i) {
    heist::mutex m;
    m.lock();
    bool in = false;
    std::thread holder([&] { m.unlock(); });
    {
      heist::pool passing({.workers = 1});
      passing.run([&] {
        const std::lock_guard hold(m);
        in = true;
      });
    }
    holder.join();
    ASSERT_TRUE(in);
  }
}

}  // namespace
