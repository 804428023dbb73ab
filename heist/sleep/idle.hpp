#pragma once
// Which workers search and which sleep: the idle protocol. States, steps and the argument are in
// README.md.

#include <heist/base/cell.hpp>
#include <heist/base/export.hpp>
#include <heist/sleep/parking.hpp>

#include <atomic>
#include <mutex>

HEIST_BEGIN

namespace heist::detail {

// A worker as the idle protocol sees it.
struct sleeper {
  parking bed;
  sleeper* next = nullptr;  // in the list of those asleep, under its lock
  bool napping = false;     // likewise: not to be roused, as it will soon look by itself
};

// Keeps track of a pool's idle workers. It decides which one to wake; the scheduler looks for work
// and posts.
class idle {
 public:
  // A worker without work starts to search.
  // model: idle.pml, thread()
  void begin_search() noexcept {
    // order[idle.count]: a pusher that sees no searcher wakes one; a searcher not seen yet has still to look
    searching_.fetch_add(1, std::memory_order_seq_cst);
  }

  // A searcher has found work. True if it was the last one and others sleep: rouse one of them
  // before working.
  // model: idle.pml, thread()
  [[nodiscard]] bool end_search() noexcept {
    // order[idle.count]: a pusher that saw us searching left it to us to wake the next
    return searching_.fetch_sub(1, std::memory_order_seq_cst) == 1 && anybody_asleep();
  }

  enum class rest : bool { sleep, nap };
  // A searcher has found nothing. From here on a push may rouse it; if it naps, only after
  // end_nap(). Next, ask all workers to wake a sleeper, fence, and look again; if there is work, get_up().
  void lie_down(sleeper& s, rest how = rest::sleep) noexcept;
  void end_nap(sleeper& s) noexcept;

  // The sleeper itself, after lie_down(). True if it is a searcher again. False if it was roused
  // already: then a post is on its way, and must be waited for.
  [[nodiscard]] bool get_up(sleeper& s) noexcept;

  // Any thread that has made work. If a worker sleeps (not just naps) and none searches, returns a
  // sleeper, which now counts as a searcher; the caller posts its bed. Otherwise null.
  [[nodiscard]] sleeper* rouse() noexcept;

  // The same for one sleeper, if it sleeps, whoever searches. True if it does: the caller posts its bed.
  [[nodiscard]] bool rouse(sleeper& s) noexcept;

  // A caller from outside takes a sleeper's seat, whose thread continues to sleep. Null if no
  // worker sleeps.
  [[nodiscard]] sleeper* borrow() noexcept;
  // Adds a sleeping worker that has not searched: at the start, and when its seat comes back.
  void add_asleep(sleeper& s, rest how = rest::sleep) noexcept;

  // A roused sleeper cannot run after all.
  // order[idle.count]: as in end_search()
  void strike() noexcept { searching_.fetch_sub(1, std::memory_order_seq_cst); }

  bool anybody_asleep() const noexcept {
    // order[idle.count]: see begin_search()
    return sleeping_.load(std::memory_order_seq_cst) > 0;
  }
  int asleep() const noexcept { return sleeping_.load(std::memory_order_seq_cst); }
  int searching() const noexcept { return searching_.load(std::memory_order_seq_cst); }

 private:
  // Under lock_. Removes and returns the first sleeper in the list that `wanted` accepts; or null.
  template <class Wanted>
  sleeper* take_out(Wanted wanted) noexcept;

  alignas(cache_line) std::atomic<int> searching_{0};
  std::atomic<int> sleeping_{0};  // the length of the list
  std::mutex lock_;
  sleeper* asleep_ = nullptr;  // the last to lie down comes first: its caches are the warmest
};

}  // namespace heist::detail

HEIST_END
