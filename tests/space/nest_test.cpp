// What a live stack costs besides the frames on it, page tables counted: scopes that are nested deep need one for each level.

#include "tests/space/memory.hpp"
#include "tests/support.hpp"

#include <heist/base/sanitizer.hpp>
#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace {

// What the kernel holds for this process, and what it holds to know where that is.
std::size_t held() { return resident_bytes() + status_bytes("VmPTE:"); }

constexpr int levels = 20'000;
std::size_t at_the_bottom;

void down(int n) {
  if (n == 0) {
    at_the_bottom = held();
    return;
  }
  heist::scope s;
  s.spawn([=] { down(n - 1); });
}

struct figures {
  double a_level;
  std::size_t kept;
  heist::statistics stats;
};

figures nest(unsigned workers, std::size_t stack_size) {
  heist::options o;
  o.workers = workers;
  o.stack_size = stack_size;
  heist::pool p(o);
  p.run([] { down(1); });
  const std::size_t before = held();
  p.run([] { down(levels); });
  figures f;
  f.a_level = static_cast<double>(at_the_bottom - before) / levels;
  EXPECT_TRUE(heist_test::eventually([&] { return p.stats().stacks_live == 0; }));
  // Some stay for a moment, for a next burst.
  auto kept = [before] {
    const std::size_t after = held();
    return after - std::min(after, before);
  };
  static_cast<void>(heist_test::eventually([&] { return kept() <= 4 * MiB; }));
  f.kept = kept();
  f.stats = p.stats();
  std::printf("%u workers, stacks of %zu KiB: %.2f KiB a level, %zu KiB kept\n", workers, stack_size / KiB, f.a_level / KiB,
              f.kept / KiB);
  return f;
}

class nested_scopes : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
#if defined(HEIST_TSAN) || defined(HEIST_ASAN)
    GTEST_SKIP() << "memory under a sanitizer is not the program's";
#endif
    if (::sysconf(_SC_PAGESIZE) != 4096) GTEST_SKIP() << "the figures are for pages of 4 KiB";
  }
};

INSTANTIATE_TEST_SUITE_P(on_workers, nested_scopes, testing::Values(1u, 2u), testing::PrintToStringParamName());

// A page, and of page tables 8 bytes for each of its pages and its guard's.
TEST_P(nested_scopes, need_four_and_a_half_KiB_a_level_where_stacks_are_small) {
  const figures f = nest(GetParam(), 128 * KiB);
  EXPECT_GE(f.stats.stacks_peak, static_cast<std::size_t>(levels));
  EXPECT_LE(f.a_level, 4.5 * KiB);
  EXPECT_LE(f.kept, 4 * MiB);
  EXPECT_GE(f.stats.stack_bytes_peak, levels * 4 * KiB);  // and that is what the figures say
  EXPECT_LE(f.stats.stack_bytes_peak, levels * 4 * KiB + MiB);
}

// A page of page tables maps 2 MiB: two stacks of 8 cannot share one.
TEST_P(nested_scopes, need_a_page_and_a_page_of_page_tables_a_level_by_default) {
  const figures f = nest(GetParam(), 8 * MiB);
  EXPECT_LE(f.a_level, 8.25 * KiB);
  EXPECT_LE(f.kept, 4 * MiB);
}

}  // namespace
