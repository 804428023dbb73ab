// Parts of pool_program: scopes, mutexes, stocks, and pools that are resized.

#include "pool_parts.hpp"

#include <mutex>
#include <thread>
#include <vector>

namespace pool_parts {

// Scopes -------------------------------------------------------------------------------------------------------------

namespace {

// Out of line: so what comes after a spawn uses the stack that the spawn used.
template <class F>
[[gnu::noinline]] void spawn_in(heist::scope& s, F& child) {
  s.spawn(child);
}
[[gnu::noinline]] void scribble() {
  volatile std::uintptr_t used[64];
  for (auto& word : used) word = 1;
}

long children(random& dice, int depth) {
  std::atomic<long> ran{0};
  long spawned = 0;
  heist::scope s;
  for (unsigned syncs = 0; syncs < 2; ++syncs) {
    for (unsigned n = dice.below(4); n > 0; --n) {
      ++spawned;
      const unsigned turns = dice.below(200);
      const unsigned inner = depth > 0 ? dice.below(4) : 0;  // spawned by the child into its own scope
      spawned += inner;
      auto child = [&ran, &s, turns, depth, inner, seed = dice.below(1000)] {
        for (unsigned i = 0; i < turns; ++i) heist::detail::relax();
        for (unsigned i = 0; i < inner; ++i) {
          auto leaf = [&ran, turns, i] {
            for (unsigned k = 0; k < turns * i / 2; ++k) heist::detail::relax();
            ran.fetch_add(1, std::memory_order_relaxed);
          };
          i == 1 ? s.spawn_later(leaf) : spawn_in(s, leaf);
        }
        if (depth > 0) {
          random mine(seed);
          children(mine, depth - 1);
        }
        ran.fetch_add(1, std::memory_order_relaxed);
      };
      if (dice.below(4) == 0)
        s.spawn_later(child);
      else
        spawn_in(s, child);
      scribble();
    }
    s.sync();
    check(ran.load() == spawned, "a child has not run, or has run twice, when its scope is over");
  }
  return spawned;
}

}  // namespace

void scopes(const until& end, watchdog& dog) {
  random dice(7);
  for (unsigned round = 0; !end.over(); ++round) {
    heist::pool pool(options(2 + round % 3, round % 4 == 0 ? heist::fences::symmetric : heist::fences::asymmetric));
    for (int i = 0; i < 30 && !end.over(); ++i) {
      pool.run([&] {
        for (int k = 0; k < 10; ++k) children(dice, 1);
      });
      dog.moved();
    }
  }
}

namespace {

// A mutex that strands and threads want, some of them for a moment only. Now and then it is held for so long that waiters
// are handed it.
void contend(heist::mutex& m, long& count, std::atomic<int>& inside, std::atomic<long>& left, std::uint32_t seed) {
  random dice(seed);
  for (int i = 0; i < 40; ++i) {
    if (dice.below(4) > 0) {
      m.lock();
    } else if (!m.try_lock_for(std::chrono::microseconds(dice.below(100)))) {
      ++left;
      continue;
    }
    check(inside.fetch_add(1) == 0, "two hold a mutex");
    ++count;
    if (dice.below(100) == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(1'200));
    else if (dice.below(2) == 0)
      a_moment(dice);
    inside.fetch_sub(1);
    m.unlock();
  }
}

}  // namespace

void locks(const until& end, watchdog& dog) {
  random dice(11);
  for (unsigned round = 0; !end.over(); ++round) {
    heist::pool pool(options(1 + round % 4));
    heist::mutex m;
    long count = 0;
    std::atomic<int> inside{0};
    std::atomic<long> left{0};
    auto one = [&](std::uint32_t seed) { contend(m, count, inside, left, seed); };
    std::thread outside(one, dice.below(1u << 30));
    pool.run([&] {
      heist::scope s;
      for (int k = 0; k < 5; ++k) s.spawn([&one, seed = dice.below(1u << 30)] { one(seed); });
    });
    outside.join();
    check(count + left == 6 * 40, "a mutex did not keep others out");
    check(m.try_lock(), "a mutex that everybody has unlocked is held");
    m.unlock();
    dog.moved();
  }
}

// Children that are all made before the first is wanted, and a thief that takes several of them. Each runs until as many have
// begun as there are workers, so those in a stock need another worker.
void bursts(const until& end, watchdog& dog) {
  random dice(19);
  for (unsigned round = 0; !end.over(); ++round) {
    const unsigned n = 2 + round % 3;
    heist::options o = options(n, round % 4 == 0 ? heist::fences::symmetric : heist::fences::asymmetric);
    o.steal = heist::steal::half;
    heist::pool pool(o);
    for (int i = 0; i < 20 && !end.over(); ++i) {
      std::atomic<unsigned> begun{0}, ended{0};
      // Of as few as must run at once, the last may be in a stock when all deques are empty.
      const unsigned children = i % 4 == 0 ? 3 * n : n;
      pool.run([&] {
        heist::scope s;
        for (unsigned k = 0; k < children; ++k)
          s.spawn_later([&] {
            ++begun;
            while (begun < n) std::this_thread::yield();
            heist::join([] {}, [] {});
            ++ended;
          });
        if (dice.below(2) == 0) a_moment(dice);
      });
      check(ended == children, "a child has not run when its scope ends");
      if (dice.below(4) == 0) pool.resize(1 + dice.below(n));
      check(pool.run([=] { return tree(6, static_cast<std::uint32_t>(i)); }) == serial_tree(6, static_cast<std::uint32_t>(i)),
            "a tree of joins has a wrong sum");
      pool.resize(n);
      dog.moved();
    }
  }
}

// Two strands need a worker each, while the pool goes from two workers to fewer and back: as in resize.pml.
void sizes(const until& end, watchdog& dog) {
  random dice(13);
  heist::pool pool(options(2));
  while (!end.over()) {
    std::atomic<int> begun{0}, ended{0};
    auto strand = [&] {
      ++begun;
      heist::join([] {}, [] {});  // here its thread may be one too many
      while (begun < 2) heist::detail::relax();
      ++ended;
    };
    std::thread changer([&, seed = dice.below(1000)] {
      random mine(seed);
      for (const unsigned n : {1u, 1 + mine.below(3), 1u, 2u}) {
        pool.resize(n);
        a_moment(mine);
      }
    });
    if (dice.below(2) == 0) {
      pool.detach([&] { heist::join(strand, strand); });  // one of them must be stolen
    } else {
      pool.detach(strand);
      a_moment(dice);
      pool.detach(strand);
    }
    changer.join();
    pool.wait_idle();
    check(ended == 2, "a detached strand has not ended");
    dog.moved();
  }
}

}  // namespace pool_parts
