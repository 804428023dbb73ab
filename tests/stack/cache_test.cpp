// A pool's stacks by the number: who has one, how many are kept, and what goes back to the system.

#include <heist/stack/supply.hpp>

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace {

using namespace heist::detail;

constexpr std::size_t size = 1 << 20;

// The page in which the stack's control block lies is there.
bool is_mapped(const stack* s) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  unsigned char in_core = 0;
  return ::mincore(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(s) & ~(page - 1)), 1, &in_core) == 0 &&
         (in_core & 1) != 0;
}

std::size_t mapped(const std::vector<stack*>& all) {
  std::size_t n = 0;
  for (const stack* const s : all) n += is_mapped(s);
  return n;
}

std::vector<stack*> take(stack_cache& from, int n) {
  std::vector<stack*> all;
  for (int i = 0; i < n; ++i) all.push_back(from.take());
  return all;
}

void put(stack_cache& to, stack* s) {
  if (!to.put_early(s)) to.put(s);
}

// As deep frames would leave it, but for what lies right below the control block.
void touch_deep(stack* s) {
  char* const top = reinterpret_cast<char*>(s);
  std::memset(top - size / 2, 1, size / 4);
}

TEST(the_supply, counts_those_that_are_in_use_and_the_most_there_were) {
  stack_supply supply(size);
  stack_cache first(supply), second(supply);
  EXPECT_EQ(supply.read().live, 0u);
  const std::vector<stack*> a = take(first, 3), b = take(second, 40);
  for (stack* const s : b) put(second, s);
  EXPECT_EQ(supply.read().live, 3u);
  EXPECT_EQ(supply.read().peak, 43u);  // though nobody asked then
  take(first, 30);
  EXPECT_EQ(supply.read().live, 33u);
  EXPECT_EQ(supply.read().peak, 43u);
}

// The caches' own takes are not counted, so that they cost nothing: a strand that is parked is the next occasion.
TEST(the_supply, counts_again_when_a_strand_is_parked) {
  stack_supply supply(size);
  stack_cache first(supply), second(supply);
  for (stack_cache* const c : {&first, &second})
    for (stack* const s : take(*c, 10)) put(*c, s);
  const std::vector<stack*> a = take(first, 10), b = take(second, 10);
  a[0]->vacate();
  first.parked(*a[0]);
  for (stack* const s : a) put(first, s);
  EXPECT_EQ(supply.read().peak, 20u);
}

TEST(what_one_worker_has_too_many_of, another_one_takes) {
  stack_supply supply(size);
  stack_cache first(supply), second(supply);
  auto word = [](stack* s) { return reinterpret_cast<volatile int*>(reinterpret_cast<char*>(s) - 512); };
  for (stack* const s : take(first, 40)) {
    *word(s) = 42;
    put(first, s);
  }
  // Not new ones, in which there would be nothing.
  EXPECT_EQ(*word(second.take()), 42);
  EXPECT_EQ(*word(second.take()), 42);
}

TEST(the_supply, keeps_some_for_the_next_burst_and_unmaps_the_others) {
  stack_supply supply(size);
  stack_cache cache(supply);
  const std::vector<stack*> all = take(cache, 200);
  EXPECT_EQ(mapped(all), 200u);
  for (stack* const s : all) put(cache, s);
  EXPECT_EQ(supply.read().live, 0u);
  EXPECT_GE(mapped(all), 8u);
  cache.hand_back();
  EXPECT_GE(mapped(all), 1u);
  EXPECT_LE(mapped(all), 8u);
  EXPECT_EQ(supply.read().live, 0u);
}

// While a worker works, and nobody hands anything back.
TEST(the_supply, unmaps_those_that_nobody_has_needed_for_a_while) {
  stack_supply supply(size);
  stack_cache cache(supply);
  const std::vector<stack*> all = take(cache, 400);
  for (stack* const s : all) put(cache, s);
  auto a_while_later = [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(110));
    const std::vector<stack*> some = take(cache, 100);  // more than a cache has
    for (stack* const s : some) put(cache, s);
  };
  for (int i = 0; i < 3; ++i) a_while_later();
  EXPECT_GE(mapped(all), 100u);  // these were needed
  EXPECT_LE(mapped(all), 250u);
}

TEST(the_supply, keeps_a_burst_while_its_strands_wait_though_a_worker_sleeps) {
  stack_supply supply(size);
  stack_cache first(supply), second(supply);
  const std::vector<stack*> waiting = take(first, 100), ended = take(first, 200);
  for (stack* const s : ended) put(first, s);
  for (stack* const s : take(second, 10)) put(second, s);
  second.hand_back();
  EXPECT_GE(mapped(ended), 190u);
  for (stack* const s : waiting) put(first, s);
  first.hand_back();
  second.hand_back();
  EXPECT_LE(mapped(ended) + mapped(waiting), 16u);
}

TEST(the_supply, unmaps_all_of_them_at_its_end) {
  std::vector<stack*> all;
  {
    stack_supply supply(size);
    stack_cache first(supply), second(supply);
    all = take(first, 30);
    for (stack* const s : all) put(s == all[7] || s == all[8] ? first : second, s);
    const std::vector<stack*> more = take(first, 10);
    all.insert(all.end(), more.begin(), more.end());
    EXPECT_GE(mapped(all), 10u);
  }
  EXPECT_EQ(mapped(all), 0u);
}

TEST(a_stack_that_was_deep, gives_its_memory_back_when_it_is_put_away) {
  stack_supply supply(size);
  stack_cache cache(supply);
  for (int i = 0; i < 10; ++i) {
    stack* const s = cache.take();
    touch_deep(s);
    ASSERT_GE(s->resident(), size / 4);
    put(cache, s);
    ASSERT_LE(s->resident(), 64u << 10);
  }
  EXPECT_GE(supply.read().bytes_peak, size / 4);
  EXPECT_LE(supply.read().bytes_peak, size / 2);  // one after the other
}

TEST(a_stack_that_was_deep, is_asked_about_now_and_then_though_many_were_not) {
  stack_supply supply(size);
  stack_cache cache(supply);
  for (int i = 0; i < 20'000; ++i) put(cache, cache.take());
  bool gone = false;
  for (int i = 0; i < 20'000 && !gone; ++i) {
    stack* const s = cache.take();
    if (i == 0) touch_deep(s);
    put(cache, s);
    gone = s->resident() <= 64u << 10;
  }
  EXPECT_TRUE(gone);
}

TEST(stacks_that_were_deep, give_their_memory_back_at_the_latest_when_their_worker_goes_to_sleep) {
  stack_supply supply(size);
  stack_cache cache(supply);
  for (int i = 0; i < 20'000; ++i) put(cache, cache.take());  // so that nobody asks for a while
  const std::vector<stack*> all = take(cache, 5);
  for (stack* const s : all) {
    touch_deep(s);
    put(cache, s);
  }
  cache.hand_back();
  for (const stack* const s : all)
    EXPECT_TRUE(!is_mapped(s) || s->resident() <= 64u << 10);
}

TEST(a_parked_stack, is_asked_about_now_and_then_too) {
  stack_supply supply(size);
  stack_cache cache(supply);
  stack* const s = cache.take();
  s->vacate();  // its strand needs next to nothing
  cache.parked(*s);
  touch_deep(s);
  for (int i = 0; i < 200 && s->resident() > 64u << 10; ++i) cache.parked(*s);
  EXPECT_LE(s->resident(), 64u << 10);
}

}  // namespace
