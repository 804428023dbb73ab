#pragma once
// A scheduler for teaching: threads that take tasks from a place, and put new ones there. The places are what is compared.

#include <heist/base/random.hpp>
#include <heist/deque.hpp>
#include <heist/padded.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace contrasts {

// A node of a tree of tasks: its range is split until it has one leaf.
struct task {
  std::uint32_t first = 0, last = 0;
};

// A deque each. Whoever has nothing steals from somebody at random.
class own_deques {
 public:
  explicit own_deques(unsigned threads) : all_(threads) {}
  void put(unsigned me, task t) { all_[me].value.push(t); }
  std::optional<task> take(unsigned me, heist::detail::random& dice) {
    if (auto mine = all_[me].value.pop()) return mine;
    return all_[dice.below(static_cast<unsigned>(all_.size()))].value.steal();
  }

 private:
  std::vector<heist::padded<heist::deque<task>>> all_;
};

// One queue for all, under a lock.
class central_queue {
 public:
  explicit central_queue(unsigned) {}
  void put(unsigned, task t) {
    const std::lock_guard hold(lock_);
    tasks_.push_back(t);
  }
  std::optional<task> take(unsigned, heist::detail::random&) {
    const std::lock_guard hold(lock_);
    if (tasks_.empty()) return std::nullopt;
    const task t = tasks_.back();
    tasks_.pop_back();
    return t;
  }

 private:
  std::mutex lock_;
  std::deque<task> tasks_;
};

// Work sharing: whoever makes a task sends it to somebody at random, busy or not. Nobody steals.
class sharing {
 public:
  explicit sharing(unsigned threads) : all_(threads) {}
  void put(unsigned me, task t) {
    thread_local heist::detail::random dice(me + 77);
    box& to = *all_[dice.below(static_cast<unsigned>(all_.size()))];
    const std::lock_guard hold(to.lock);
    to.tasks.push_back(t);
  }
  std::optional<task> take(unsigned me, heist::detail::random&) {
    box& mine = *all_[me];
    const std::lock_guard hold(mine.lock);
    if (mine.tasks.empty()) return std::nullopt;
    const task t = mine.tasks.back();
    mine.tasks.pop_back();
    return t;
  }

 private:
  struct box {
    std::mutex lock;
    std::deque<task> tasks;
  };
  std::vector<heist::padded<box>> all_;
};

// Runs leaf(i) for each i below `leaves`, on so many threads.
template <class Place, class Leaf>
void run_tree(unsigned threads, std::uint32_t leaves, Leaf leaf) {
  Place place(threads);
  std::vector<heist::padded<std::atomic<std::uint32_t>>> done(threads);  // leaves; nobody shares a counter
  auto all_done = [&] {
    std::uint32_t sum = 0;
    for (auto& d : done) sum += d->load(std::memory_order_relaxed);
    return sum == leaves;
  };
  auto work = [&](unsigned me) {
    heist::detail::random dice(me);
    for (;;) {
      std::optional<task> t = place.take(me, dice);
      if (!t) {
        if (all_done()) return;
        std::this_thread::yield();
        continue;
      }
      while (t->last - t->first > 1) {  // one half is left to others, the other is gone on with
        const std::uint32_t middle = t->first + (t->last - t->first) / 2;
        place.put(me, {middle, t->last});
        t->last = middle;
      }
      leaf(t->first);
      done[me]->store(done[me]->load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
  };
  place.put(0, {0, leaves});
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back(work, i);
  work(0);
  for (std::thread& t : others) t.join();
}

}  // namespace contrasts
