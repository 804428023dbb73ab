// Parts of pool_program: joins, waits, roots.

#include "pool_parts.hpp"

#include <heist/sched/scheduler.hpp>
#include <heist/strand/seat.hpp>

#include <mutex>
#include <utility>
#include <vector>

namespace pool_parts {

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

namespace {

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

}  // namespace

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

namespace {

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

}  // namespace

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

namespace {

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

}  // namespace

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

}  // namespace pool_parts
