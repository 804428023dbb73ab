// Pools of up to 64 workers, with several callers from outside that run random programs and rest in between: the serial
// answers, each lock held as often as it was taken, and counters that add up when all is over.

#include "random_program.hpp"

#include <atomic>
#include <thread>
#include <vector>

namespace {

using stress::dice;
using stress::fail;

// All that was parked went on, all stacks came back, and the sums are sums.
void check_books(heist::pool& pool, stress::session& s) {
  stress::doing("its callers were gone and its strands were awaited");
  heist::statistics now = pool.stats();
  while (now.stacks_live != 0 || now.suspends != now.resumes) {
    std::this_thread::yield();
    now = pool.stats();
  }
  heist::counters sum;
  for (const heist::counters& w : now.workers) {
    sum.steals += w.steals;
    sum.suspends += w.suspends;
    sum.resumes += w.resumes;
    if (w.steals + w.lost > w.steal_attempts)
      fail("a worker stole %zu times in %zu attempts", w.steals, w.steal_attempts);
  }
  if (sum.steals != now.steals || sum.suspends != now.suspends || sum.resumes != now.resumes)
    fail("the workers' counters do not add up to the pool's");
  s.count("steals", now.steals);
  s.count("suspends", now.suspends);
  s.most("stacks", now.stacks_peak);
  s.most("seats", now.workers.size());
}

void round(stress::session& s) {
  dice d(s.seed());
  const heist::options wanted = stress::random_options(d);
  static constexpr unsigned callers_by_luck[] = {1, 1, 2, 4, 8};
  const unsigned callers = d.among(callers_by_luck);
  const bool resting = d.one_in(2);
  const std::uint64_t programs = 1 + 60u / callers / stress::slower;

  stress::doing("the pool started");
  heist::pool pool(wanted);
  stress::shared_things things;
  std::atomic<std::uint64_t> forks{0}, locks{0}, ran{0};
  auto call = [&](dice luck) {
    for (std::uint64_t i = 0; i < programs; ++i) {
      const stress::random_program program(luck.next(), 4 + static_cast<int>(luck.below(4)));
      const auto expected = program.serial();
      const auto found = pool.run([&] { return program.parallel(things); });
      if (found != expected)
        fail("a program on %u workers gives %llx instead of %llx", wanted.workers,
             static_cast<unsigned long long>(found.digest), static_cast<unsigned long long>(expected.digest));
      forks += expected.forks;
      locks += expected.locks;
      ++ran;
      // Long enough for workers to fall asleep, or to be on their way.
      if (resting) std::this_thread::sleep_for(std::chrono::microseconds(luck.below(300)));
    }
  };
  {
    const stress::resizer changing(pool, dice(d.next()));
    std::vector<std::thread> others;
    for (unsigned i = 1; i < callers; ++i) others.emplace_back(call, dice(d.next()));
    call(dice(d.next()));
    for (std::thread& t : others) t.join();
  }
  if (things.held != locks)
    fail("the lock was held %llu times instead of %llu", static_cast<unsigned long long>(things.held),
         static_cast<unsigned long long>(locks.load()));
  s.count("programs", ran);
  s.count("forks", forks);
  s.count("locks", locks);
  check_books(pool, s);
  stress::doing("the pool was to end");
}

}  // namespace

int main(int argc, char** argv) {
  stress::session s("stress_pool", argc, argv, {1.5, 1});
  while (s.more()) round(s);
  return s.end();
}
