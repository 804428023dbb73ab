// Parts of pool_program: who wakes whom, and who comes for what a caller leaves.

#include "pool_parts.hpp"

#include <heist/sleep/idle.hpp>
#include <heist/strand/seat.hpp>

#include <vector>

namespace pool_parts {

// Wake-ups -----------------------------------------------------------------------------------------------------------

namespace {

// Ends only when another worker has started the right branch.
void stolen_in_time() {
  std::atomic<bool> started{false};
  heist::join([&] { wait_for(started); }, [&] { started.store(true, std::memory_order_release); });
}

}  // namespace

void wakes(const until& end, watchdog& dog) {
  random dice(2);
  for (unsigned round = 0; !end.over(); ++round) {
    heist::pool pool(options(2 + round % 2, round % 3 == 2 ? heist::fences::symmetric : heist::fences::asymmetric));
    for (int i = 0; i < 60 && !end.over(); ++i) {
      pool.run([] { stolen_in_time(); });
      a_moment(dice);
      pool.run([&] {
        for (int k = 0; k < 5; ++k) {
          // Forks that nobody needs to steal: one of these may answer a wake request, which is then made again.
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

}  // namespace pool_parts
