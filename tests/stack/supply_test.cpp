// A pool's stacks, many of them: what goes back when they are given back in any order, and what guards those that are used
// again. madvise and mprotect are ours here and refuse on demand.

#include <heist/base/sanitizer.hpp>
#include <heist/stack/supply.hpp>

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

namespace {

constexpr int guard_install = 102;
bool refuse_guards = false;     // as before Linux 6.13
bool refuse_protection = false;  // as a process does that has 65,530 mappings

}  // namespace

// By the system call and not instrumented: a sanitizer calls them before anything of its own can be called.
extern "C" HEIST_NO_TSAN int madvise(void* at, std::size_t size, int advice) noexcept {
  if (advice == guard_install && refuse_guards) return errno = EINVAL, -1;
  return static_cast<int>(::syscall(SYS_madvise, at, size, advice));
}
extern "C" HEIST_NO_TSAN int mprotect(void* at, std::size_t size, int protection) noexcept {
  if (protection == PROT_NONE && refuse_protection) return errno = ENOMEM, -1;
  return static_cast<int>(::syscall(SYS_mprotect, at, size, protection));
}

namespace {

using heist::detail::stack;
using heist::detail::stack_cache;
using heist::detail::stack_supply;

constexpr std::size_t KiB = 1024;
constexpr std::size_t many = 500;

char* page_of(const void* p) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(p) / page * page);
}

// How many of these still have the page of their control block.
std::size_t resident(const std::vector<stack*>& stacks) {
  return static_cast<std::size_t>(std::count_if(stacks.begin(), stacks.end(), [](const stack* s) {
    unsigned char there = 0;
    return ::mincore(page_of(s), 1, &there) == 0 && (there & 1) != 0;
  }));
}

class a_supply : public testing::Test {
 protected:
  ~a_supply() override { refuse_guards = refuse_protection = false; }

  std::vector<stack*> take(std::size_t n) {
    std::vector<stack*> all(n);
    for (stack*& s : all) s = cache_.take();
    return all;
  }
  void put(const std::vector<stack*>& stacks) {
    for (auto s = stacks.rbegin(); s != stacks.rend(); ++s) cache_.put(*s);
  }

  stack_supply supply_{128 * KiB};
  stack_cache cache_{supply_};
};

TEST_F(a_supply, gives_stacks_that_have_nothing_in_common) {
  const auto all = take(many);
  std::set<char*> tops;
  for (stack* s : all) {
    ASSERT_NE(s, nullptr);
    EXPECT_GE(s->size(), 128 * KiB);
    char* const top = reinterpret_cast<char*>(s);
    volatile char* const lowest = page_of(s) - s->size() + 2 * 4 * KiB;  // some pages above the guard
    *lowest = 1;
    const auto above = tops.lower_bound(top);
    EXPECT_TRUE(above == tops.end() || *above - top >= static_cast<std::ptrdiff_t>(s->size() + stack::guard_size));
    tops.insert(top);
  }
  EXPECT_EQ(supply_.read().live, many);
  put(all);
  EXPECT_EQ(supply_.read().live, 0u);
  EXPECT_EQ(supply_.read().peak, many);
}

TEST_F(a_supply, has_one_page_of_each_that_was_not_used) {
  const auto all = take(many);
  EXPECT_EQ(supply_.read().bytes_peak, many * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
  put(all);
}

TEST_F(a_supply, keeps_few_when_it_rests) {
  const auto all = take(many);
  put(all);
  cache_.hand_back();
  EXPECT_LE(resident(all), 4u);  // two in the cache, two for the next burst
  EXPECT_EQ(supply_.read().live, 0u);
}

// One stack of each slab goes on living.
TEST_F(a_supply, keeps_few_when_it_has_rested_for_a_while_though_some_are_in_use_among_them) {
  const auto all = take(many);
  std::vector<stack*> live, rest;
  for (std::size_t i = 0; i < many; ++i) (i % 8 == 0 ? live : rest).push_back(all[i]);
  put(rest);
  cache_.hand_back();
  EXPECT_GE(resident(rest), rest.size() - 4);  // for those that come next
  for (int looks = 0; supply_.keeps_a_burst(); ++looks) {
    ASSERT_LT(looks, 3);
    std::this_thread::sleep_for(std::chrono::nanoseconds(stack_supply::lately + 1'000'000));
    supply_.settle();
  }
  EXPECT_LE(resident(rest), 4u);
  EXPECT_EQ(resident(live), live.size());
  EXPECT_EQ(supply_.read().live, live.size());

  const auto again = take(rest.size());
  EXPECT_EQ(supply_.read().live, many);
  EXPECT_EQ(resident(again), again.size());
#if !defined(HEIST_TSAN)
  std::size_t same = 0;
  for (stack* s : again) same += std::find(rest.begin(), rest.end(), s) != rest.end();
  EXPECT_GE(same + heist::detail::slab::most_places, rest.size());  // their addresses were kept
#endif
  put(again);
  put(live);
}

TEST_F(a_supply, guards_every_stack_also_one_that_is_used_again) {
#if defined(HEIST_TSAN) || defined(HEIST_ASAN)
  GTEST_SKIP() << "the sanitizer reports the fault itself";
#endif
  for (const bool old_kernel : {false, true}) {
    refuse_guards = old_kernel;
    auto all = take(100);
    stack* const live = all.back();
    all.pop_back();
    put(all);
    cache_.hand_back();
    const auto again = take(99);
    for (stack* const s : {again.front(), again[40], again.back(), live}) {
      volatile char* const guard = page_of(s) + 4 * KiB - s->size() - 8;
      EXPECT_TRUE(s->guards(const_cast<char*>(guard)));
      EXPECT_EXIT(*guard = 1, testing::KilledBySignal(SIGSEGV), "");
      *(page_of(s) + 4 * KiB - s->size()) = 1;  // the byte above
    }
    put(again);
    put({live});
    cache_.hand_back();
  }
}

TEST_F(a_supply, gives_none_without_a_guard) {
  const auto some = take(3);
  refuse_guards = refuse_protection = true;
  EXPECT_EQ(cache_.take(), nullptr);
  EXPECT_EQ(cache_.take(), nullptr);
  refuse_guards = refuse_protection = false;
  const auto more = take(30);
  EXPECT_EQ(std::count(more.begin(), more.end(), nullptr), 0);
  EXPECT_EQ(supply_.read().live, 33u);
  put(more);
  put(some);
}

}  // namespace
