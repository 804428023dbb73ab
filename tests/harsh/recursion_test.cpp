// A million serial frames on a pool's stack: as deep as the stack is large.

#include "tests/harsh/process.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <limits>

namespace {

using namespace heist_test;

// What a descent has seen of its own frames.
struct descent {
  const char* above = nullptr;
  std::ptrdiff_t smallest_frame = std::numeric_limits<std::ptrdiff_t>::max();
  pid_t thread = 0;
};

// A frame of 64 bytes and more, and much more under a sanitizer. The sum is made after the call, so that it is no loop.
[[gnu::noinline]] long down(long n, descent& seen) {
  volatile long local[8] = {n, 1};
  const char* const here = static_cast<const char*>(__builtin_frame_address(0));
  if (seen.above != nullptr) seen.smallest_frame = std::min(seen.smallest_frame, seen.above - here);
  seen.above = here;
  if (n == 0) return 0;
  return down(n - 1, seen) + local[1];
}

long descend(long n, descent& seen) {
  seen.thread = ::gettid();
  return down(n, seen);
}

constexpr std::ptrdiff_t frame_size = 64;

#if defined(HEIST_TSAN)
constexpr long frames = 10'000;  // its own book of calls has no room for more
#else
constexpr long frames = 1'000'000;
#endif

class a_million_frames : public testing::Test {
 protected:
  static heist::options large_stacks() {
    heist::options o = workers(2);
    o.stack_size = std::size_t{512} << 20;
    return o;
  }
};

TEST_F(a_million_frames, fit_a_stack_that_was_asked_for) {
  heist::pool p(large_stacks());
  descent root;
  EXPECT_EQ(p.run([&] { return descend(frames, root); }), frames);
  EXPECT_GE(root.smallest_frame, frame_size);
}

TEST_F(a_million_frames, fit_a_childs_stack) {
  heist::pool p(large_stacks());
  descent child, parent;
  EXPECT_EQ(p.run([&] {
    long a = 0;
    heist::scope s;
    s.spawn([&] { a = descend(frames, child); });
    const long b = descend(frames, parent);
    s.sync();
    return a + b;
  }),
            2 * frames);
  EXPECT_GE(child.smallest_frame, frame_size);
  EXPECT_GE(parent.smallest_frame, frame_size);
}

// The first branch goes on only when the second has begun: it was stolen.
TEST_F(a_million_frames, fit_a_thiefs_stack) {
  heist::pool p(large_stacks());
  descent thief;
  pid_t victim = 0;
  std::atomic<bool> begun{false};
  const auto [stolen, depth] = p.run([&] {
    return heist::join(
        [&] {
          victim = ::gettid();
          return eventually([&] { return begun.load(); });
        },
        [&] {
          begun = true;
          return descend(frames, thief);
        });
  });
  EXPECT_TRUE(stolen);
  EXPECT_NE(thief.thread, victim);
  EXPECT_EQ(depth, frames);
  EXPECT_GE(thief.smallest_frame, frame_size);
}

TEST_F(a_million_frames, end_with_the_sentence_on_a_stack_of_the_usual_size) {
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
        p.run([] {
          descent seen;
          return descend(frames, seen);
        });
      },
      testing::KilledBySignal(SIGSEGV), "^heist: stack overflow on worker heist-0: its stack of 8192 KiB is full");
}

}  // namespace
