#pragma once
// The parts of pool_program, and what they share. A part returns when its time is over. It ends the program if an answer is
// wrong; the watchdog ends it if nothing moves.

#include "watchdog.hpp"

#include <heist/base/cpu.hpp>
#include <heist/base/random.hpp>
#include <heist/fence/fence.hpp>
#include <heist/heist.hpp>

#include <atomic>
#include <chrono>
#include <thread>

namespace pool_parts {

using heist::detail::random;

inline heist::options options(unsigned workers, heist::fences fences = heist::fences::asymmetric) {
  heist::options o;
  o.workers = workers;
  if (heist::detail::enable_heavy_fence()) o.fences = fences;  // else there is only one kind
  o.search_time =
      std::chrono::nanoseconds(0);  // asleep as soon as there is nothing: every round meets some on their way
  return o;
}

inline void a_moment(random& dice) {
  for (unsigned turns = dice.below(dice.below(8) == 0 ? 4000 : 200); turns > 0; --turns) heist::detail::relax();
}

inline void wait_for(const std::atomic<bool>& flag) {
  while (!flag.load(std::memory_order_acquire)) std::this_thread::yield();
}

// A tree of joins, and its sum.
long tree(int depth, std::uint32_t seed);
long serial_tree(int depth, std::uint32_t seed);

void joins(const until& end, watchdog& dog);
void roots(const until& end, watchdog& dog);
void waits(const until& end, watchdog& dog);
void wakes(const until& end, watchdog& dog);
void guests(const until& end, watchdog& dog);
void holder(const until& end, watchdog& dog);
void one_seat(const until& end, watchdog& dog);
void homecomings(const until& end, watchdog& dog);
void injected(const until& end, watchdog& dog);
void rest(const until& end, watchdog& dog);
void books(const until& end, watchdog& dog);
void scopes(const until& end, watchdog& dog);
void bursts(const until& end, watchdog& dog);
void sizes(const until& end, watchdog& dog);
void locks(const until& end, watchdog& dog);

}  // namespace pool_parts
