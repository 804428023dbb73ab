// A pool at work, with answers that can be checked: pool_program part [seconds]. The parts are named in main().
// Every part ends the program if an answer is wrong, and its watchdog if somebody waits for ever.

#include "watchdog.hpp"

#include <heist/base/cpu.hpp>
#include <heist/base/random.hpp>
#include <heist/fence/fence.hpp>
#include <heist/heist.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/strand/seat.hpp>
#include <heist/sleep/idle.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

// A pool is on a cache line of its own. What is left of one that is gone must not look like a pool, nor be the next one.
void operator delete(void* p, std::size_t size, std::align_val_t) noexcept {
  static std::mutex lock;
  static void* last[64] = {};
  static std::size_t next = 0;
  std::memset(p, 0xAB, size);
  const std::lock_guard hold(lock);
  std::free(std::exchange(last[next++ % std::size(last)], p));
}

namespace {

using heist::detail::random;

heist::options options(unsigned workers, heist::fences fences = heist::fences::asymmetric) {
  heist::options o;
  o.workers = workers;
  if (heist::detail::enable_heavy_fence()) o.fences = fences;  // else there is only one kind
  o.search_time =
      std::chrono::nanoseconds(0);  // asleep as soon as there is nothing: every round meets some on their way
  return o;
}

void a_moment(random& dice) {
  for (unsigned turns = dice.below(dice.below(8) == 0 ? 4000 : 200); turns > 0; --turns) heist::detail::relax();
}

void wait_for(const std::atomic<bool>& flag) {
  while (!flag.load(std::memory_order_acquire)) std::this_thread::yield();
}

// join ---------------------------------------------------------------------------------------------------------------

long tree(int depth, std::uint32_t seed) {
  if (depth == 0) return 1;
  auto [a, b] = heist::join([=] { return tree(depth - 1, seed * 5 + 1); },
                            [=] { return tree(seed % 3 == 0 ? depth / 2 : depth - 1, seed * 7 + 3); });
  return a + b;
}

long serial_tree(int depth, std::uint32_t seed) {
  if (depth == 0) return 1;
  return serial_tree(depth - 1, seed * 5 + 1) + serial_tree(seed % 3 == 0 ? depth / 2 : depth - 1, seed * 7 + 3);
}

// The second branch outlasts the first, or not: the forker parks, or nearly.
void race(random& dice, long i) {
  long left = 0, right = 0;
  const unsigned first = dice.below(300), second = dice.below(300);
  auto wait = [](unsigned turns) {
    while (turns-- > 0) heist::detail::relax();
  };
  heist::join([&] { wait(first), left = i; }, [&] { wait(second), right = i + 1; });
  check(left == i && right == i + 1, "a branch has not run when its join returns");
}

void joins(const until& end, watchdog& dog) {
  random dice(1);
  for (std::uint32_t round = 0; !end.over(); ++round) {
    heist::pool pool(options(2 + round % 3, round % 4 == 0 ? heist::fences::symmetric : heist::fences::asymmetric));
    for (std::uint32_t i = 0; i < 20 && !end.over(); ++i) {
      const int depth = 3 + static_cast<int>(dice.below(5));
      check(pool.run([=] { return tree(depth, i); }) == serial_tree(depth, i), "a tree of joins has a wrong sum");
      pool.run([&] {
        for (long k = 0; k < 50; ++k) race(dice, k);
      });
      dog.moved();
    }
  }
}

// Waits --------------------------------------------------------------------------------------------------------------

// Strands that wait are resumed by a thread, a few at a time and in no order.
class resumer {
 public:
  void put(heist::resumption r) {
    const std::lock_guard hold(lock_);
    waiting_.push_back(std::move(r));
  }
  void hold(bool on) noexcept { held_ = on; }
  void run(const std::atomic<bool>& stop) {
    random dice(7);
    while (!stop.load(std::memory_order_acquire)) {
      heist::resumption one;
      {
        const std::lock_guard hold(lock_);
        if (!waiting_.empty() && !held_) {
          std::swap(waiting_[dice.below(static_cast<unsigned>(waiting_.size()))], waiting_.back());
          one = std::move(waiting_.back());
          waiting_.pop_back();
        }
      }
      if (one)
        one.resume();
      else
        std::this_thread::yield();
      if (dice.below(4) == 0) a_moment(dice);
    }
  }

 private:
  std::atomic<bool> held_{false};
  std::mutex lock_;
  std::vector<heist::resumption> waiting_;
};

// Before or after its branch is gone, or while it goes; twice, so that a seat is left again at once.
void wait_in(resumer& by, unsigned how) {
  for (unsigned times = how % 3; times > 0; --times) heist::suspend([&](heist::resumption r) { by.put(std::move(r)); });
  if (how % 5 == 0) heist::suspend([](heist::resumption r) { r.resume(); });
}

long waiting_tree(resumer& by, int depth, std::uint32_t seed) {
  wait_in(by, seed % 7);
  if (depth == 0) return 1;
  auto [a, b] = heist::join([&by, depth, seed] { return waiting_tree(by, depth - 1, seed * 5 + 1); },
                            [&by, depth, seed] { return waiting_tree(by, seed % 3 == 0 ? depth / 2 : depth - 1, seed * 7 + 3); });
  wait_in(by, seed % 11);
  return a + b;
}

// Strands that wait without jobs need no seats: thieves have given them up.
void many_at_once(heist::pool& pool, resumer& by) {
  constexpr unsigned n = 60;
  by.hold(true);
  std::thread looker([&] {
    auto listed = [&] {
      unsigned seats = 0;
      heist::detail::scheduler_of(pool).victims.read().for_each([&](heist::detail::seat&) { ++seats; });
      return seats;
    };
    while (pool.stats().waiting < n) std::this_thread::yield();
    for (int patience = 2000; listed() > pool.workers() + 1; --patience) {
      check(patience > 0, "seats are left that nobody needs");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    by.hold(false);
  });
  pool.run([&] {
    heist::scope s;
    for (unsigned k = 0; k < n; ++k) s.spawn([&] { wait_in(by, 1); });
    s.sync();
  });
  looker.join();
}

// The strand that is resumed ends, and its pool with it, while the resumer may still be at work in the pool. A worker that
// searches takes the strand up as soon as it is queued.
void pools_that_end(resumer& by) {
  for (unsigned k = 0; k < 20; ++k) {
    heist::options o = options(1 + k % 2);
    if (k % 4 < 2) o.search_time = std::chrono::milliseconds(1);
    heist::pool pool(o);
    pool.run([&] { wait_in(by, 1); });
  }
}

void waits(const until& end, watchdog& dog) {
  resumer by;
  std::atomic<bool> stop{false};
  std::thread thread([&] { by.run(stop); });
  for (std::uint32_t round = 0; !end.over(); ++round) {
    heist::pool pool(options(1 + round % 3));
    for (std::uint32_t i = 0; i < 10 && !end.over(); ++i) {
      const int depth = 2 + static_cast<int>(i % 5);
      check(pool.run([&] { return waiting_tree(by, depth, i); }) == serial_tree(depth, i), "a tree that waits has a wrong sum");
      std::atomic<int> sum{0};
      pool.run([&] {
        heist::scope s;
        for (unsigned k = 0; k < 30; ++k)
          s.spawn([&, k] {
            wait_in(by, k + i);
            ++sum;
          });
        wait_in(by, i);
        s.sync();
      });
      check(sum == 30, "a child that waits is lost");
      check(pool.stats().waiting == 0, "a wait that has ended is counted");
      many_at_once(pool, by);
      dog.moved();
    }
    pools_that_end(by);
    dog.moved();
  }
  stop = true;
  thread.join();
}

// Roots --------------------------------------------------------------------------------------------------------------

// The second branch is stolen, if a thief is there, and outlasts the first by little: the strand parks, its caller goes
// home, and about then the root ends.
void outlast(random& dice, long i) {
  long left = 0, right = 0;
  std::atomic<bool> started{false};
  const unsigned more = dice.below(600);
  heist::join(
      [&] {
        for (unsigned turns = 4000; turns > 0 && !started; --turns) heist::detail::relax();
        left = i;
      },
      [&] {
        started = true;
        for (unsigned turns = 0; turns < more; ++turns) heist::detail::relax();
        right = i + 1;
      });
  check(left == i && right == i + 1, "a branch has not run when its join returns");
}

[[gnu::noinline]] void call(heist::pool& pool, random& dice, long i) {
  const long seen = pool.run([&] {
    if (i % 4 != 0) outlast(dice, i);
    return i;
  });
  check(seen == i, "run() has returned before its root");
}

// Where call() had its root: whoever still writes there is seen.
[[gnu::noinline]] void look_where_it_was(random& dice) {
  volatile std::uint32_t words[1024];
  for (auto& w : words) w = 0x5afe5afe;
  for (unsigned turns = dice.below(8); turns > 0; --turns) a_moment(dice), std::this_thread::yield();
  for (auto& w : words) check(w == 0x5afe5afe, "somebody writes where a root was that is gone");
}

// Threads that call run() all the time, from the same place.
void roots(const until& end, watchdog& dog) {
  heist::options o = options(2);
  o.search_time = std::chrono::microseconds(200);
  heist::pool pool(o);
  std::vector<std::thread> callers;
  for (unsigned c = 0; c < 2; ++c) {
    callers.emplace_back([&, c] {
      random dice(c);
      for (long i = 0; !end.over(); ++i) {
        call(pool, dice, i);
        look_where_it_was(dice);
        dog.moved();
      }
    });
  }
  for (std::thread& t : callers) t.join();
}

// Wake-ups -----------------------------------------------------------------------------------------------------------

// Ends only when another worker has started the right branch.
void stolen_in_time() {
  std::atomic<bool> started{false};
  heist::join([&] { wait_for(started); }, [&] { started.store(true, std::memory_order_release); });
}

void wakes(const until& end, watchdog& dog) {
  random dice(2);
  for (unsigned round = 0; !end.over(); ++round) {
    heist::pool pool(options(2 + round % 2, round % 3 == 2 ? heist::fences::symmetric : heist::fences::asymmetric));
    for (int i = 0; i < 60 && !end.over(); ++i) {
      pool.run([] { stolen_in_time(); });
      a_moment(dice);
      pool.run([&] {
        for (int k = 0; k < 5; ++k) {
          // Forks that nobody needs to steal: a sign may be given at one of these, and be asked for again.
          for (unsigned forks = dice.below(30); forks > 0; --forks) heist::join([] {}, [] {});
          stolen_in_time();
          a_moment(dice);
          dog.moved();
        }
      });
      // As many at once as there are workers: each one woken wakes the next.
      std::atomic<unsigned> here{0};
      const unsigned n = pool.workers();
      pool.run([&] {
        heist::for_each_index(
            0u, n,
            [&](unsigned) {
              ++here;
              while (here < n) std::this_thread::yield();
            },
            heist::grain{1});
      });
      dog.moved();
    }
  }
}

// One caller comes and goes; another, on whatever seat, leaves a branch that only the pool's thread can take.
void guests(const until& end, watchdog& dog) {
  for (unsigned round = 0; !end.over(); ++round) {
    heist::pool pool(options(1 + round % 3));
    std::atomic<bool> over{false};
    std::thread passing([&] {
      random dice(round);
      while (!over) pool.run([&] { a_moment(dice); });
    });
    random dice(3);
    for (int i = 0; i < 60 && !end.over(); ++i) {
      pool.run([&] {
        // On the only seat of one the branch would be left to the other caller, who steals nothing.
        if (pool.workers() > 1) stolen_in_time(), a_moment(dice), stolen_in_time();
      });
      a_moment(dice);
      dog.moved();
    }
    over = true;
    passing.join();
  }
}

// A second caller takes a seat, perhaps of a worker that has just seen work and is getting up for it, and keeps it
// until the first caller's branches were taken, which are left to the third seat then.
void holder(const until& end, watchdog& dog) {
  random dice(8);
  heist::pool pool(options(3));
  enum { nobody, invited, left };
  std::atomic<int> second{nobody};
  std::atomic<bool> both_taken{false};
  std::thread thread([&] {
    random moments(9);
    for (;;) {
      while (second == nobody) std::this_thread::yield();
      if (second == left) return;
      a_moment(moments);
      pool.run([&] { wait_for(both_taken); });
      second = nobody;
    }
  });
  while (!end.over()) {
    both_taken = false;
    pool.run([&] {
      stolen_in_time();
      second = invited;
      a_moment(dice);
      stolen_in_time();
      both_taken = true;
    });
    while (second != nobody) std::this_thread::yield();
    dog.moved();
  }
  second = left;
  thread.join();
}

// On a pool of one seat: whoever finds it taken sits on a temporary one, and the pool's thread must come for
// what it leaves as soon as the seat is back.
void one_seat(const until& end, watchdog& dog) {
  random dice(4);
  while (!end.over()) {
    heist::pool pool(options(1));
    for (int i = 0; i < 60 && !end.over(); ++i) {
      std::atomic<bool> seated{false}, guest_seated{false};
      std::thread guest([&] {
        wait_for(seated);
        pool.run([&] {
          guest_seated = true;
          // Not if it sits on the only seat after all: then there is nobody else.
          if (heist::detail::this_seat()->by.get()->index > 0) stolen_in_time();
        });
      });
      pool.run([&] {
        seated = true;
        wait_for(guest_seated);
        a_moment(dice);
      });
      guest.join();
      dog.moved();
    }
  }
}

// On a pool of two: a caller whose branch was stolen goes home, and what the thief leaves is for the thread of its seat.
void homecomings(const until& end, watchdog& dog) {
  random dice(10);
  heist::pool pool(options(2));
  while (!end.over()) {
    pool.run([&] { heist::join([&] { a_moment(dice); }, [] { stolen_in_time(); }); });
    a_moment(dice);
    dog.moved();
  }
}

// Children of scopes outside every pool, whose queue only the pool's threads empty until the sync; a caller takes their
// seats meanwhile.
void injected(const until& end, watchdog& dog) {
  heist::pool& pool = heist::default_pool();
  std::atomic<bool> over{false};
  std::thread passing([&] {
    random dice(5);
    while (pool.workers() == 1 && !over) {
      pool.run([&] { a_moment(dice); });
      a_moment(dice);
    }
  });
  random dice(6);
  for (int i = 0; !end.over(); ++i) {
    std::atomic<unsigned> here{0};
    const unsigned n = i % 2 == 0 ? 1 : std::min(2u, pool.workers());
    heist::scope s;
    for (unsigned k = 0; k < n; ++k)
      s.spawn([&] {
        ++here;
        while (here < n) std::this_thread::yield();
      });
    while (here < n) std::this_thread::yield();  // the sync would run them itself
    s.sync();
    a_moment(dice);
    dog.moved();
  }
  over = true;
  passing.join();
}

// When all is done nobody wakes anybody.
void rest(const until& end, watchdog& dog) {
  while (!end.over()) {
    heist::pool pool(options(3));
    pool.run([] { tree(6, 1); });
    pool.run([] { stolen_in_time(); });
    std::uint64_t before = 1, after = 0;
    while (before != after) {
      before = pool.stats().wakes;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      after = pool.stats().wakes;
    }
    dog.moved();
  }
}

// The books alone: nobody is roused while one that was roused still searches.
void books(const until& end, watchdog& dog) {
  heist::detail::idle idle;
  constexpr std::size_t n = 3;
  heist::detail::sleeper beds[n];
  std::atomic<int> awake{0};
  std::atomic<bool> over{false};
  for (auto& b : beds) idle.add_asleep(b);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < n; ++i) {
    threads.emplace_back([&, i] {
      for (;;) {
        beds[i].bed.wait();
        if (over) return;
        --awake;
        static_cast<void>(idle.end_search());
        idle.begin_search();
        idle.lie_down(beds[i]);
      }
    });
    threads.emplace_back([&] {
      while (!end.over()) {
        heist::detail::sleeper* const s = idle.rouse();
        if (s == nullptr) continue;
        check(awake.fetch_add(1) == 0, "two are awake where one would do");
        s->bed.post();
        dog.moved();
      }
    });
  }
  for (std::size_t i = 1; i < threads.size(); i += 2) threads[i].join();
  over = true;
  for (auto& b : beds) b.bed.post();
  for (std::size_t i = 0; i < threads.size(); i += 2) threads[i].join();
}

// Scopes -------------------------------------------------------------------------------------------------------------

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

}  // namespace

int main(int argc, char** argv) {
  struct part {
    std::string_view name;
    void (*run)(const until&, watchdog&);
    const char* stuck;
  };
  static constexpr part parts[] = {
      {"joins", joins, "a join does not return"},
      {"roots", roots, "a run() does not return"},
      {"wakes", wakes, "a branch is left, and nobody comes for it"},
      {"guests", guests, "a caller's branch is left, and nobody comes for it"},
      {"holder", holder, "a caller's branch is left, and who saw it had its seat taken"},
      {"one_seat", one_seat, "a guest's branch is left, and nobody comes for it"},
      {"homecomings", homecomings, "a branch is left, and nobody comes for it"},
      {"injected", injected, "a queued child is left, and nobody comes for it"},
      {"rest", rest, "a pool with nothing to do does not come to rest"},
      {"books", books, "nobody is roused any more"},
      {"scopes", scopes, "a sync does not return"},
      {"bursts", bursts, "a child is in somebody's stock, and nobody comes for it"},
      {"waits", waits, "a wait does not end"},
      {"sizes", sizes, "a strand is left, and there are too few workers for it"},
      {"locks", locks, "a mutex is free, and nobody wakes the one that waits for it"},
  };
  // The part "injected" uses the default pool, whose seats are few.
  ::setenv("HEIST_WORKERS", "1", 0);
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  const auto p = std::find_if(std::begin(parts), std::end(parts), [&](const part& q) { return q.name == wanted; });
  if (p == std::end(parts)) {
    std::printf("usage: pool_program part [seconds], where part is one of:");
    for (const part& q : parts) std::printf(" %s", q.name.data());
    std::printf("\n");
    return 2;
  }
  watchdog dog(p->stuck);
  p->run(until(argc > 2 ? std::atof(argv[2]) : 1), dog);
  std::printf("%s: all is well\n", p->name.data());
}
