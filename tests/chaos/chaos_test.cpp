// The decisions are a pure function of seed, worker, step and place; a held store is what a store buffer makes of it.

#include <heist/check/chaos.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace heist::detail::chaos;

constexpr const char* the_seed = "3";  // one that holds stores back, and often
[[maybe_unused]] const int set = ::setenv("HEIST_CHAOS", the_seed, 1);

at place(std::uint64_t step) { return static_cast<at>(step % places); }

TEST(a_decision, is_the_same_for_the_same_seed_worker_step_and_place) {
  std::uint64_t sum = 0;
  for (unsigned worker = 0; worker < 4; ++worker) {
    for (std::uint64_t step = 0; step < 10'000; ++step) {
      const decision d = decide(seed_of("1234"), worker, step, static_cast<at>(step % 8));
      EXPECT_EQ(d, decide(seed_of("1234"), worker, step, static_cast<at>(step % 8)));
      sum = sum * 31 + static_cast<std::uint64_t>(d.what) * 4096 + d.amount;
    }
  }
  // On every machine, in every run: if it changes, the seeds in reports are worth nothing any more.
  EXPECT_EQ(sum, 12630152184025542048u);
}

TEST(a_decision, is_another_for_another_seed_or_worker) {
  const auto differ = [](std::uint64_t s, unsigned v, std::uint64_t t, unsigned w) {
    int n = 0;
    for (std::uint64_t step = 0; step < 10'000; ++step)
      n += decide(s, v, step, place(step)) != decide(t, w, step, place(step));
    return n;
  };
  EXPECT_GT(differ(seed_of("1"), 0, seed_of("2"), 0), 100);
  EXPECT_GT(differ(seed_of("1"), 0, seed_of("1"), 1), 100);
}

TEST(a_decision, is_of_every_kind_and_mostly_to_go_on) {
  std::array<int, 4> seen{};
  for (int s = 0; s < 32; ++s)
    for (std::uint64_t step = 0; step < 10'000; ++step)
      ++seen[static_cast<std::size_t>(decide(seed_of(std::to_string(s).c_str()), 0, step, place(step)).what)];
  for (const int n : seen) EXPECT_GT(n, 100);
  EXPECT_GT(seen[0], seen[1] + seen[2] + seen[3]);
}

TEST(a_seed, has_wild_places_of_its_own) {
  std::set<std::vector<bool>> patterns;
  for (int s = 0; s < 16; ++s) {
    std::vector<bool> wild;
    for (unsigned p = 0; p < places; ++p) {
      int waits = 0;
      for (std::uint64_t step = 0; step < 1000; ++step)
        waits +=
            decide(seed_of(std::to_string(s).c_str()), 0, step, static_cast<at>(p)).what != decision::kind::nothing;
      wild.push_back(waits > 300);
    }
    patterns.insert(wild);
  }
  EXPECT_GT(patterns.size(), 8u);
}

std::vector<decision> first_decisions_of(unsigned worker) {
  std::vector<decision> taken;
  std::thread([&] {
    work_as(worker);
    for (std::uint64_t step = 0; step < 1000; ++step) taken.push_back(next(place(step)));
  }).join();
  return taken;
}

TEST(a_worker, decides_as_its_number_says_on_whatever_thread) {
  EXPECT_EQ(first_decisions_of(3), first_decisions_of(3));
  EXPECT_NE(first_decisions_of(3), first_decisions_of(4));
  std::vector<decision> expected;
  for (std::uint64_t step = 0; step < 1000; ++step) expected.push_back(decide(seed_of(the_seed), 3, step, place(step)));
  EXPECT_EQ(first_decisions_of(3), expected);
}

std::int64_t seen_by_others(const late& l) {
  std::int64_t v = 0;
  std::thread([&] { v = l.load(std::memory_order_acquire); }).join();
  return v;
}

// Stores until one is held back; the value before it is then what others see, and the value itself what we do.
std::int64_t hold_one(late& l) {
  for (std::int64_t v = 1; v < 1000; ++v) {
    l.store(v, std::memory_order_release);
    EXPECT_EQ(l.load(std::memory_order_acquire), v);
    if (seen_by_others(l) != v) return v;
  }
  ADD_FAILURE() << "no store was held back";
  return 0;
}

TEST(a_held_store, comes_out_at_its_threads_full_fence) {
  late l(0);
  const std::int64_t v = hold_one(l);
  drain();
  EXPECT_EQ(seen_by_others(l), v);
}

TEST(a_held_store, comes_out_at_the_end_of_its_operation) {
  late l(0);
  const std::int64_t v = hold_one(l);
  step(at::light_fence);
  EXPECT_NE(seen_by_others(l), v);
  step(at::pushed);
  EXPECT_EQ(seen_by_others(l), v);
}

TEST(a_held_store, comes_out_at_anybodys_heavy_fence_and_at_nobody_elses_full_fence) {
  late l(0);
  const std::int64_t v = hold_one(l);
  std::thread([&] {
    drain();
    EXPECT_NE(l.load(std::memory_order_acquire), v);
    drain_all();
    EXPECT_EQ(l.load(std::memory_order_acquire), v);
  }).join();
  drain();
}

}  // namespace
