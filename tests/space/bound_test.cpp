// The space bound: at most P·S₁ for the frames, and a little for each stack.

#include "tests/space/memory.hpp"
#include "tests/support.hpp"

#include <heist/base/sanitizer.hpp>
#include <heist/heist.hpp>
#include <heist/stack/stack.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using namespace heist_test;

using heist::detail::stack;

constexpr int depth = 8;
constexpr std::size_t frame_bytes = 128 * KiB;

// Each calls `below` for two halves in its own way, in a frame of which every page is touched: by every word, or by one
// byte in each page, as a buffer is that nobody fills.
enum class way { serial, join, spawn };
enum class touched { all, sparsely };

struct program {
  way how;
  touched frames;
};

template <class Then>
[[gnu::noinline]] long in_a_large_frame(touched frames, Then then) {
  volatile long frame[frame_bytes / sizeof(long)];
  for (std::size_t i = 0; i < frame_bytes / sizeof(long); i += frames == touched::all ? 1 : 512) frame[i] = 1;
  const long result = then();
  return result + frame[512] - 1;
}

long below(program p, int levels) {
  if (levels == 0) {
    return in_a_large_frame(p.frames, [] {
      // Long enough to be stolen while it runs.
      volatile long n = 0;
      for (int i = 0; i < 20'000; ++i) n = n + 1;
      return 1L;
    });
  }
  return in_a_large_frame(p.frames, [=]() -> long {
    long a = 0, b = 0;
    switch (p.how) {
      case way::serial:
        a = below(p, levels - 1);
        b = below(p, levels - 1);
        break;
      case way::join: {
        auto [l, r] = heist::join([=] { return below(p, levels - 1); }, [=] { return below(p, levels - 1); });
        a = l;
        b = r;
        break;
      }
      case way::spawn: {
        heist::scope s;
        s.spawn([&a, p, levels] { a = below(p, levels - 1); });
        b = below(p, levels - 1);
        s.sync();
        break;
      }
    }
    return a + b;
  });
}

// Until something was stolen often enough to be worth looking at, where there are thieves.
heist::statistics run(unsigned workers, program what) {
  heist::options o;
  o.workers = workers;
  o.stack_size = 64 * MiB;
  heist::pool p(o);
  const std::size_t enough = what.how == way::serial ? 0 : 20 * (workers - 1);
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(p.run([=] { return below(what, depth); }), 1L << depth);
    if (i >= 2 && p.stats().steals >= enough) break;
  }
  EXPECT_TRUE(enough == 0 || p.stats().steals > 0);
  return p.stats();
}

class a_recursive_program_with_large_frames : public testing::TestWithParam<program> {};

std::string name_of(const testing::TestParamInfo<program>& p) {
  return std::string(p.param.how == way::join ? "by_join" : "by_spawn") +
         (p.param.frames == touched::all ? "" : "_sparsely_touched");
}

INSTANTIATE_TEST_SUITE_P(forking, a_recursive_program_with_large_frames,
                         testing::Values(program{way::join, touched::all}, program{way::spawn, touched::all},
                                         program{way::join, touched::sparsely}, program{way::spawn, touched::sparsely}),
                         name_of);

TEST_P(a_recursive_program_with_large_frames, needs_at_most_P_times_the_serial_stack) {
#if defined(HEIST_TSAN) || defined(HEIST_ASAN)
  GTEST_SKIP() << "a sanitizer's frames are not the program's";
#endif
  const std::size_t serial = run(1, {way::serial, GetParam().frames}).stack_bytes_peak;
  EXPECT_GE(serial, (depth + 1) * frame_bytes);
  EXPECT_LE(serial, (depth + 1) * frame_bytes + 64 * KiB);
  constexpr std::size_t page = 4 * KiB;
  for (const unsigned P : {1u, 2u, 4u, 8u}) {
    const auto s = run(P, GetParam());
    // What a stack has besides the serial program's frames: what it may keep below its pointer, the page of its control
    // block, and the pages that its first and its last frame share with nobody.
    const std::size_t threshold = stack::keep_size + 3 * page;
    // Stacks in use, and those that wait in the workers' caches.
    // A caller that finds all of the pool's threads awake gets a temporary seat, and counts as a worker.
    const std::size_t seats = s.workers.size();
    const std::size_t stacks = s.stacks_peak + 2 * seats;
    std::printf("P = %u: %zu KiB at most, P·S1 = %zu KiB, %zu stacks at most, %zu steals, %zu suspends\n", P,
                s.stack_bytes_peak / KiB, P * serial / KiB, s.stacks_peak, s.steals, s.suspends);
    EXPECT_LE(s.stack_bytes_peak, seats * serial + stacks * threshold) << "P = " << P;
    EXPECT_LE(s.stacks_peak, seats * (depth + 1)) << "P = " << P;
    EXPECT_GE(s.stack_bytes_peak, serial) << "P = " << P;
    EXPECT_EQ(s.suspends, s.resumes);
  }
}

// Leaves that wait ---------------------------------------------------------------------------------------------------

// All leaves have begun to wait before the first goes on: no frame of theirs can be gone.
struct leaves_that_wait {
  std::mutex lock;
  std::vector<heist::resumption> there;

  [[gnu::noinline]] long below(int levels) {
    return in_a_large_frame(touched::all, [this, levels]() -> long {
      if (levels == 0) {
        heist::suspend([this](heist::resumption r) {
          const std::lock_guard hold(lock);
          there.push_back(std::move(r));
        });
        return 1;
      }
      const auto [a, b] = heist::join([=, this] { return below(levels - 1); }, [=, this] { return below(levels - 1); });
      return a + b;
    });
  }
};

TEST(leaves_of_a_recursive_program_that_wait, need_at_most_the_serial_stack_each) {
#if defined(HEIST_TSAN) || defined(HEIST_ASAN)
  GTEST_SKIP() << "a sanitizer's frames are not the program's";
#endif
  constexpr int levels = 5;
  constexpr std::size_t n = 1u << levels, page = 4 * KiB;
  std::size_t serial = 0;
  {
    heist::pool one({.workers = 1, .stack_size = 64 * MiB});
    one.run([] { return below({way::serial, touched::all}, levels); });
    serial = one.stats().stack_bytes_peak;
  }
  for (const unsigned P : {1u, 2u, 8u}) {
    heist::pool p({.workers = P, .stack_size = 64 * MiB});
    leaves_that_wait all;
    std::thread last([&] {
      EXPECT_TRUE(eventually([&] {
        const std::lock_guard hold(all.lock);
        return all.there.size() == n;
      }));
      for (heist::resumption& r : all.there) r.resume();
    });
    EXPECT_EQ(p.run([&] { return all.below(levels); }), static_cast<long>(n));
    last.join();
    const auto s = p.stats();
    const std::size_t strands = s.workers.size() + s.waiting_peak;
    const std::size_t threshold = stack::keep_size + 3 * page;
    std::printf("P = %u: %zu waited, %zu KiB at most, (P + U)·S1 = %zu KiB\n", P, s.waiting_peak, s.stack_bytes_peak / KiB,
                strands * serial / KiB);
    EXPECT_GE(s.waiting_peak, n - P);
    EXPECT_LE(s.waiting_peak, n);
    EXPECT_LE(s.stack_bytes_peak, strands * serial + (s.stacks_peak + 2 * s.workers.size()) * threshold) << "P = " << P;
  }
}

#if !defined(HEIST_TSAN) && !defined(HEIST_ASAN)
TEST(strands_that_all_wait_at_once, take_at_most_12_KiB_each) {
  constexpr std::size_t n = 10'000;
  heist::pool p({.workers = 2, .stack_size = 8 * MiB});
  p.run([] { heist::join([] {}, [] {}); });
  leaves_that_wait all;
  all.there.reserve(n);
  const auto held = [] { return resident_bytes() + status_bytes("VmPTE:"); };
  const std::size_t before = held();
  std::size_t after = 0;
  std::thread last([&] {
    EXPECT_TRUE(eventually([&] {
      const std::lock_guard hold(all.lock);
      return all.there.size() == n;
    }));
    after = held();
    for (heist::resumption& r : all.there) r.resume();
  });
  p.run([&] {
    heist::with_scope([&](heist::scope& s) {
      for (std::size_t i = 0; i < n; ++i)
        s.spawn([&] {
          heist::suspend([&](heist::resumption r) {
            const std::lock_guard hold(all.lock);
            all.there.push_back(std::move(r));
          });
        });
    });
  });
  last.join();
  std::printf("%.2f KiB each, page tables included\n", static_cast<double>(after - before) / n / KiB);
  EXPECT_GE(p.stats().waiting_peak, n - 2);
  EXPECT_EQ(p.stats().stackless, 0u);
  EXPECT_LE(after - before, n * 12 * KiB);
}
#endif

// A chain of joins ---------------------------------------------------------------------------------------------------

// All of it, so that every page is sure to be there.
[[gnu::noinline]] void touch_200_KiB() {
  volatile long block[200 * KiB / sizeof(long)];
  for (volatile long& word : block) word = 1;
}

// The left branch touches its memory when the right one has been stolen, if somebody steals it: so that as many strands
// as possible are parked with memory below their stack pointers.
struct waits_for_a_thief {
  static void left(std::atomic<bool>& stolen) {
    for (int i = 0; i < 2000 && !stolen.load(std::memory_order_relaxed); ++i) std::this_thread::yield();
    touch_200_KiB();
  }
};
struct goes_on {
  static void left(std::atomic<bool>&) { touch_200_KiB(); }
};

template <class How>
long chain(int links) {
  if (links == 0) return 0;
  std::atomic<bool> stolen{false};
  auto [left, right] = heist::join(
      [&stolen] {
        How::left(stolen);
        return 1L;
      },
      [&stolen, links] {
        stolen.store(true, std::memory_order_relaxed);
        return chain<How>(links - 1);
      });
  return left + right;
}

template <class How>
void expect_little_memory() {
#if defined(HEIST_TSAN) || defined(HEIST_ASAN)
  GTEST_SKIP() << "memory under a sanitizer is not the program's";
#endif
  constexpr int links = 1000;
  const auto on = [](unsigned workers) {
    heist::options o;
    o.workers = workers;
    o.stack_size = 8 * MiB;
    return o;
  };
  std::size_t serial = 0;
  {
    heist::pool one(on(1));
    EXPECT_EQ(one.run([] { return chain<goes_on>(links); }), links);
    serial = one.stats().stack_bytes_peak;
  }
  EXPECT_GE(serial, 200 * KiB);
  EXPECT_LE(serial, 2 * MiB);

  heist::pool two(on(2));
  two.run([] { heist::join([] {}, [] {}); });
  std::size_t worst = 0;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(reset_peak());
    const std::size_t before = resident_bytes();
    EXPECT_EQ(two.run([] { return chain<How>(links); }), links);
    worst = std::max(worst, peak_resident_bytes() - std::min(before, peak_resident_bytes()));
  }
  const auto s = two.stats();
  std::printf("%.1f MiB added, S1 = %zu KiB, %zu stacks and %zu KiB of stacks at most, %zu steals, %zu suspends\n",
              static_cast<double>(worst) / static_cast<double>(MiB), serial / KiB, s.stacks_peak,
              s.stack_bytes_peak / KiB, s.steals, s.suspends);
  EXPECT_LT(worst, 2 * serial + 8 * MiB);
  if constexpr (std::is_same_v<How, waits_for_a_thief>) {
    EXPECT_GT(s.steals, 500u);
  }
}

TEST(a_chain_of_1000_joins_that_each_touch_200_KiB, holds_P_times_the_serial_stack_and_8_MiB) {
  expect_little_memory<goes_on>();
}

TEST(a_chain_of_1000_joins_that_each_touch_200_KiB, holds_no_more_when_every_link_is_stolen) {
  expect_little_memory<waits_for_a_thief>();
}

// When a burst is over ---------------------------------------------------------------------------------------------

bool rests(heist::pool& p) {
  return eventually([&] {
    const auto before = p.stats();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto after = p.stats();
    return before.sleeps == after.sleeps && before.wakes == after.wakes && after.sleeps >= after.wakes;
  });
}

void expect_memory_back(heist::pool& p, std::size_t at_least, void (*burst)(heist::pool&)) {
#if defined(HEIST_TSAN) || defined(HEIST_ASAN)
  GTEST_SKIP() << "memory under a sanitizer is not the program's";
#endif
  p.run([] { heist::join([] {}, [] {}); });
  EXPECT_TRUE(reset_peak());
  const std::size_t before = resident_bytes();
  burst(p);
  const std::size_t peak = peak_resident_bytes();
  ASSERT_TRUE(rests(p));
  const std::size_t after = resident_bytes();
  std::printf("%.1f MiB at the peak, %.1f MiB kept\n", static_cast<double>(peak - before) / static_cast<double>(MiB),
              static_cast<double>(after - std::min(after, before)) / static_cast<double>(MiB));
  EXPECT_GE(peak, before + at_least / 4 * 3);
  EXPECT_LE(after, before + 4 * MiB);
}

heist::options roomy(unsigned workers) {
  heist::options o;
  o.workers = workers;
  o.stack_size = 64 * MiB;
  return o;
}

// A byte in each page.
template <std::size_t bytes>
[[gnu::noinline]] char touch() {
  volatile char block[bytes];
  for (std::size_t i = 0; i < bytes; i += 4 * KiB) block[i] = 1;
  return block[bytes / 2];
}

TEST(when_a_burst_is_over, the_memory_of_deep_branches_goes_back) {
  heist::pool p(roomy(4));
  expect_memory_back(p, 4 * 8 * MiB, [](heist::pool& q) {
    std::atomic<int> here{0};
    q.run([&] {
      heist::for_each_index(
          0, 4,
          [&](int) {
            touch<8 * MiB>();
            ++here;
            EXPECT_TRUE(eventually([&] { return here == 4; }));
          },
          heist::grain{1});
    });
  });
}

TEST(when_a_burst_is_over, the_memory_of_many_stacks_goes_back) {
  heist::pool p(roomy(2));
  expect_memory_back(p, 5 * MiB, [](heist::pool& q) {
    struct nest {
      static void down(int levels) {
        if (levels == 0) return;
        heist::scope s;
        s.spawn([=] {
          touch<16 * KiB>();
          down(levels - 1);
        });
      }
    };
    q.run([] { nest::down(1000); });
  });
}

// The caller's thread is none of the pool's, and does not fall asleep as those do.
TEST(when_a_burst_is_over, the_memory_of_a_callers_root_goes_back) {
  heist::pool p(roomy(1));
  expect_memory_back(p, 16 * MiB, [](heist::pool& q) { q.run([] { touch<16 * MiB>(); }); });
}

// A buffer that is mostly unused lies between the root and its depth.
[[gnu::noinline]] void deep_below_an_unused_buffer() {
  volatile char unused[64 * KiB];
  unused[sizeof unused - 1] = 1;
  touch<16 * MiB>();
  unused[0] = 1;
}

TEST(when_a_burst_is_over, the_memory_below_an_unused_buffer_goes_back_too) {
  heist::pool p(roomy(1));
  expect_memory_back(p, 16 * MiB, [](heist::pool& q) { q.run([] { deep_below_an_unused_buffer(); }); });
}

TEST(when_a_burst_is_over, the_memory_of_many_callers_goes_back) {
  heist::pool p(roomy(2));
  expect_memory_back(p, 32 * 2 * MiB, [](heist::pool& q) {
    constexpr int callers = 32;
    std::atomic<int> here{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < callers; ++i)
      threads.emplace_back([&] {
        q.run([&] {
          touch<2 * MiB>();
          ++here;
          EXPECT_TRUE(eventually([&] { return here == callers; }));
        });
      });
    for (std::thread& t : threads) t.join();
  });
}

}  // namespace
