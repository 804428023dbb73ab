// One mapped stack: what it commits, what it hands back, what it guards.

#include "tests/stack/mapped.hpp"

#include <heist/base/sanitizer.hpp>
#include <heist/stack/stack.hpp>
#include <heist/stack/switch.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using heist::detail::context;
using heist::detail::stack;

// A stack that runs one function after another for this thread, and comes home after each.
class driver {
 public:
  explicit driver(std::size_t size) : stack_(heist_test::map_stack(size)) {
    heist::detail::introduce_native(home_);
    if (stack_ == nullptr) return;
    start_anew();
  }
  driver(const driver&) = delete;
  ~driver() {
    if (stack_ != nullptr) heist_test::unmap_stack(stack_);
  }

  stack* operator->() const { return stack_; }
  explicit operator bool() const { return stack_ != nullptr; }

  void run(void (*f)(driver&)) {
    next_ = f;
    go_on();
  }
  // From home: to where the stack left off.
  void go_on() { change(home_, *stack_); }
  // On the stack.
  void go_home() { change(*stack_, home_); }

 private:
  // The switch itself orders nothing for ThreadSanitizer; here the two sides take turns.
  void change(context& from, context& to) {
    heist::detail::tsan_release(this);
    switch_to(from, to, heist::detail::thread_exceptions(), nullptr, this);
    heist::detail::tsan_acquire(this);
  }
  HEIST_NO_TSAN void start_anew() { heist::detail::restart(*stack_, stack_, &driver::entry); }
  HEIST_NO_TSAN static void entry(heist::detail::handoff* from) {
    driver& self = *static_cast<driver*>(from->argument);
    heist::detail::arrive(from);
    self.work();
  }
  [[gnu::noinline]] void work() {
    heist::detail::tsan_acquire(this);
    for (;;) {
      next_(*this);
      go_home();
    }
  }

  context home_;
  stack* stack_;
  void (*next_)(driver&) = nullptr;
};

// Touches all of `bytes` below here, and returns.
[[gnu::noinline]] void touch(std::size_t bytes) {
  auto* const p = static_cast<volatile long*>(__builtin_alloca(bytes));
  for (std::size_t i = 0; i < bytes / sizeof(long); ++i) p[i] = 1;
}

constexpr std::size_t KiB = 1024, MiB = 1024 * KiB;

TEST(a_stack, has_the_size_asked_for_in_whole_pages) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  for (const std::size_t size : {stack::min_size, stack::min_size + 1, 64 * KiB, 8 * MiB, 1024 * MiB}) {
    driver d(size);
    ASSERT_TRUE(d);
    EXPECT_GE(d->size(), size);
    EXPECT_LT(d->size(), size + page);
    EXPECT_EQ(d->size() % page, 0u);
  }
}

TEST(a_stack, commits_next_to_nothing_when_it_is_mapped) {
  driver d(1024 * MiB);
  ASSERT_TRUE(d);
  EXPECT_LE(d->resident(), stack::fresh_resident());
  EXPECT_GT(d->resident(), 0u);
}

TEST(a_stack, runs_functions_and_comes_back) {
  driver d(64 * KiB);
  static int runs;
  runs = 0;
  for (int i = 1; i <= 100; ++i) {
    d.run([](driver&) { ++runs; });
    EXPECT_EQ(runs, i);
  }
}

TEST(a_stack, can_be_used_to_its_end) {
  driver d(256 * KiB);
  d.run([](driver& self) { touch(self->size() - 16 * KiB); });
  EXPECT_GE(d->resident(), 240 * KiB);
}

TEST(a_stack, counts_the_pages_it_has_touched) {
  driver d(8 * MiB);
  d.run([](driver&) { touch(4 * MiB); });
  EXPECT_GE(d->resident(), 4 * MiB);
  EXPECT_LE(d->resident(), 4 * MiB + 64 * KiB);
}

TEST(trim, hands_back_what_lies_below_the_stack_pointer_but_for_a_little) {
  driver d(8 * MiB);
  d.run([](driver&) { touch(4 * MiB); });
  const auto r = d->trim();
  EXPECT_GE(r.before, 4 * MiB);
  EXPECT_LE(d->resident(), r.after);
  EXPECT_LE(d->resident(), stack::keep_size + 2 * 4096);
  const auto again = d->trim();
  EXPECT_LE(again.before, r.after);
}

TEST(trim, keeps_every_byte_of_the_live_frames) {
  driver d(8 * MiB);
  static bool whole;
  whole = false;
  d.run([](driver& self) {
    unsigned char frame[MiB];
    for (std::size_t i = 0; i < sizeof frame; ++i) frame[i] = static_cast<unsigned char>(i * 7 + i / 256);
    touch(2 * MiB);
    self.go_home();  // parked in the middle
    whole = true;
    for (std::size_t i = 0; i < sizeof frame; ++i)
      whole = whole && frame[i] == static_cast<unsigned char>(i * 7 + i / 256);
  });
  EXPECT_GE(d->resident(), 3 * MiB);
  const auto r = d->trim();
  EXPECT_GE(r.before, 3 * MiB);
  EXPECT_GE(d->resident(), MiB);
  EXPECT_LE(d->resident(), MiB + stack::keep_size + 4 * 4096);
  d.go_on();
  EXPECT_TRUE(whole);
}

TEST(trim, may_be_followed_by_deeper_use) {
  driver d(8 * MiB);
  for (int i = 0; i < 20; ++i) {
    d.run([](driver&) { touch(2 * MiB); });
    d->trim();
    EXPECT_LE(d->resident(), stack::keep_size + 2 * 4096);
  }
}

TEST(was_deep, tells_whether_the_stack_went_past_what_it_may_keep) {
  driver d(8 * MiB);
  EXPECT_FALSE(d->was_deep());
  d.run([](driver&) { touch(KiB); });
  EXPECT_FALSE(d->was_deep());
  d.run([](driver&) { touch(2 * stack::keep_size); });
  EXPECT_TRUE(d->was_deep());
  d->trim();
  EXPECT_FALSE(d->was_deep());
}

TEST(the_guard, lies_below_the_stack_and_is_claimed_by_it_alone) {
  driver d(64 * KiB);
  driver e(64 * KiB);
  static std::uintptr_t inside;
  d.run([](driver&) {
    volatile char here = 0;
    inside = reinterpret_cast<std::uintptr_t>(&here);
  });
  char* const lowest = reinterpret_cast<char*>(d.operator->()) - d->size();  // the control block lies at the top
  EXPECT_FALSE(d->guards(reinterpret_cast<void*>(inside)));
  EXPECT_TRUE(d->guards(lowest - stack::guard_size / 2));
  EXPECT_FALSE(e->guards(lowest - stack::guard_size / 2));
  EXPECT_FALSE(d->guards(lowest - 2 * stack::guard_size));
  EXPECT_FALSE(d->guards(nullptr));
}

TEST(the_guard, kills_whoever_writes_to_it) {
#if defined(HEIST_TSAN) || defined(HEIST_ASAN)
  GTEST_SKIP() << "the sanitizer reports the fault itself";
#endif
  driver d(64 * KiB);
  char* const top = reinterpret_cast<char*>(d.operator->());
  char* const lowest = top - d->size();
  // The control block takes some of the top page: its lowest byte is above lowest + one block.
  volatile char* const last_good = lowest + 4096;
  *last_good = 1;
  EXPECT_EXIT(*static_cast<volatile char*>(lowest - 4096) = 1, testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(*static_cast<volatile char*>(lowest - stack::guard_size + 8192) = 1, testing::KilledBySignal(SIGSEGV), "");
}

// A guard by mprotect would need two mappings a stack, of which a process has 65,530.
TEST(stacks, can_be_had_in_tens_of_thousands) {
#if defined(HEIST_TSAN) || defined(HEIST_ASAN)
  constexpr int many = 1000;  // a sanitizer has its own limits on fibers
#else
  constexpr int many = 20'000;
#endif
  std::vector<stack*> all;
  for (int i = 0; i < many; ++i) {
    stack* const s = heist_test::map_stack(64 * KiB);
    if (s == nullptr) break;
    all.push_back(s);
  }
  EXPECT_EQ(all.size(), static_cast<std::size_t>(many));
  for (stack* s : all) heist_test::unmap_stack(s);
}

TEST(a_stack_that_cannot_be_mapped, is_null) {
  EXPECT_EQ(heist_test::map_stack(std::size_t{1} << 60), nullptr);
}

}  // namespace
