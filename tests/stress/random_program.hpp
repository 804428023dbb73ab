#pragma once
// Random programs: a tree of joins, scopes, loops and locks whose shape and answer follow from a seed, run serially and
// in a pool. The answer depends on every node and on the order of its children.

#include "harness.hpp"

#include <heist/base/cpu.hpp>
#include <heist/fence/fence.hpp>
#include <heist/heist.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <tuple>

namespace stress {

// A pool's options, as luck has it.
inline heist::options random_options(dice& d) {
  static constexpr unsigned workers[] = {1, 2, 2, 3, 8, 64, 64};
  static constexpr heist::fences fences[] = {heist::fences::automatic, heist::fences::asymmetric,
                                             heist::fences::symmetric};
  static constexpr int search_us[] = {0, 1, 50, 50, 500};
  static constexpr unsigned backoff[] = {0, 32, 32};
  static constexpr unsigned most_callers[] = {0, 0, 0, 1, 3};
  heist::options o;
  o.workers = d.among(workers);
  o.stack_size = 256 << 10;
  o.fences = d.among(fences);
  if (!heist::detail::enable_heavy_fence()) o.fences = heist::fences::automatic;
  o.search_time = std::chrono::microseconds(d.among(search_us));
  o.most_backoff = d.among(backoff);
  o.most_callers = d.among(most_callers);
  o.steal = d.one_in(3) ? heist::steal::half : heist::steal::one;
  o.victims = d.one_in(3) ? heist::victims::near : heist::victims::uniform;
  if (d.one_in(6)) o.bind = d.one_in(2) ? heist::bind::spread : heist::bind::compact;
  if (d.one_in(4)) o.share = heist::share::feedback;
  if (d.one_in(4)) o.workers_least = 1 + static_cast<unsigned>(d.below(std::min(o.workers, 3u)));
  return o;
}

// As luck has it, a thread that resizes the pool until it is destroyed.
class resizer {
 public:
  resizer(heist::pool& pool, dice d) {
    if (d.one_in(3)) thread_ = std::jthread([&pool, d](const std::stop_token& stop) mutable {
      while (!stop.stop_requested()) {
        pool.resize(1 + static_cast<unsigned>(d.below(d.one_in(8) ? 64 : 6)));
        std::this_thread::sleep_for(std::chrono::microseconds(d.below(2'000)));
      }
    });
  }

 private:
  std::jthread thread_;
};

// What programs that run at the same time share.
struct shared_things {
  heist::mutex lock;
  std::uint64_t held = 0;  // times a program held the lock; under it
  heist::affinity homes;   // of loops in all of them, one at a time
};

class random_program {
 public:
  struct answer {
    std::uint64_t digest = 0;
    std::uint64_t forks = 0;
    std::uint64_t locks = 0;

    void add(const answer& a) {
      digest = digest * 0x100000001B3ull ^ a.digest;
      forks += a.forks;
      locks += a.locks;
    }
    friend bool operator==(const answer&, const answer&) = default;
  };

  random_program(std::uint64_t seed, int depth) : root_{seed, depth, true} {}

  answer serial() const { return serial(root_); }
  // In a pool, or outside: then in the default pool.
  answer parallel(shared_things& things) const { return parallel(root_, things); }

 private:
  static constexpr unsigned most_children = 5;
  using answers = std::array<answer, most_children>;

  enum class kind { leaf, join_two, join_three, spawns, later_spawns, loop, locked };

  struct node {
    std::uint64_t name;
    int depth;
    bool may_lock;  // a lock is held by one strand of a path only; and not wanted by a child that waits in a queue

    kind what() const {
      if (depth <= 0) return kind::leaf;
      static constexpr kind kinds[] = {kind::leaf,   kind::join_two,     kind::join_two, kind::join_three,
                                       kind::spawns, kind::later_spawns, kind::loop,     kind::locked};
      const kind k = kinds[hash(name) % std::size(kinds)];
      return k == kind::locked && !may_lock ? kind::join_two : k;
    }
    unsigned children() const {
      switch (what()) {
        case kind::leaf:
          return 0;
        case kind::join_two:
        case kind::locked:
          return 2;
        case kind::join_three:
          return 3;
        default:
          return static_cast<unsigned>(hash(name + 1) % (most_children + 1));
      }
    }
    node child(unsigned i) const {
      const bool last = what() == kind::locked || what() == kind::later_spawns;
      return {hash(name ^ (i + 1)), depth - 1, may_lock && !last};
    }
    answer own() const {
      return {hash(name + 2), children() > 0 ? children() - 1 : 0, what() == kind::locked ? 1u : 0u};
    }
  };

  static answer serial(const node& n) {
    answer sum = n.own();
    for (unsigned i = 0; i < n.children(); ++i) sum.add(serial(n.child(i)));
    return sum;
  }

  // Most leaves are tiny; some let others run, some sleep for a moment.
  static void toil(std::uint64_t name) {
    const std::uint64_t luck = hash(name + 3);
    if (luck % 64 == 0) std::this_thread::yield();
    if (luck % 4096 == 1) std::this_thread::sleep_for(std::chrono::microseconds(luck / 4096 % 200));
    if (luck % 8 == 2)
      for (std::uint64_t i = luck / 8 % 100; i > 0; --i) heist::detail::relax();
  }

  static answer parallel(const node& n, shared_things& things) {
    answers found;
    auto go = [&](unsigned i) { return [&found, &things, c = n.child(i), i] { found[i] = parallel(c, things); }; };
    switch (n.what()) {
      case kind::leaf:
        toil(n.name);
        break;
      case kind::join_two: {
        // By value, where the others write through references.
        std::tie(found[0], found[1]) = heist::join([&things, c = n.child(0)] { return parallel(c, things); },
                                                   [&things, c = n.child(1)] { return parallel(c, things); });
        break;
      }
      case kind::join_three:
        heist::join(go(0), go(1), go(2));
        break;
      case kind::spawns: {
        heist::scope s;
        for (unsigned i = 0; i < n.children(); ++i) s.spawn(go(i));
        break;
      }
      case kind::later_spawns: {
        heist::scope s;
        for (unsigned i = 0; i < n.children(); ++i) s.spawn_later(go(i));
        s.sync();
        break;
      }
      case kind::loop:
        if (hash(n.name + 4) % 4 == 0)
          heist::for_each_index(0u, n.children(), [&](unsigned i) { go(i)(); }, heist::grain{1}, things.homes);
        else
          heist::for_each_index(0u, n.children(), [&](unsigned i) { go(i)(); }, heist::grain{1});
        break;
      case kind::locked: {
        const std::lock_guard hold(things.lock);
        const std::uint64_t before = things.held;
        heist::join(go(0), go(1));
        things.held = before + 1;
        break;
      }
    }
    answer sum = n.own();
    for (unsigned i = 0; i < n.children(); ++i) sum.add(found[i]);
    return sum;
  }

  const node root_;
};

}  // namespace stress
