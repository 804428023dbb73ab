// A million serial frames on a pool's stack: as deep as the stack is large.

#include "tests/harsh/process.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <csignal>

namespace {

using namespace heist_test;

// A frame of some 64 bytes, more under a sanitizer. The sum is made after the call, so that it is no loop.
[[gnu::noinline]] long down(long n) {
  volatile long local[2] = {n, 1};
  if (n == 0) return 0;
  return down(n - 1) + local[1];
}

#if defined(HEIST_TSAN)
constexpr long frames = 10'000;  // its own book of calls has no room for more
#else
constexpr long frames = 1'000'000;
#endif

TEST(a_million_frames, fit_a_stack_that_was_asked_for) {
  heist::options o = workers(2);
  o.stack_size = std::size_t{512} << 20;
  heist::pool p(o);
  EXPECT_EQ(p.run([] { return down(frames); }), frames);
  // On a child's stack, and on a thief's.
  EXPECT_EQ(p.run([] {
    long a = 0;
    heist::scope s;
    s.spawn([&] { a = down(frames); });
    const long b = down(frames);
    s.sync();
    return a + b;
  }),
            2 * frames);
}

TEST(a_million_frames, end_with_the_sentence_on_a_stack_of_the_usual_size) {
#if defined(HEIST_TSAN) || defined(HEIST_ASAN)
  GTEST_SKIP() << "the sanitizer reports the fault itself";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        expendable();
        heist::options o = workers(2);
        o.stack_size = std::size_t{8} << 20;
        heist::pool p(o);
        p.run([] { return down(frames); });
      },
      testing::KilledBySignal(SIGSEGV), "^heist: stack overflow on worker heist-0: its stack of 8192 KiB is full");
}

}  // namespace
