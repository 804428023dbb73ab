#pragma once
// Jobs that a thread has stolen with another one, and not begun (options::steal is half). See
// protocols/stealing.md, "Steal half".

#include <heist/base/export.hpp>
#include <heist/sleep/short_lock.hpp>
#include <heist/strand/strand.hpp>
#include <heist/trace/lane.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>

HEIST_BEGIN

namespace heist::detail {

struct job;
class seat;

// A job on its way from a deque to the seat where it begins.
struct stolen_job {
  job* what = nullptr;
  terms its{};                 // what it runs on: those of the seat that it was stolen from
  const seat* from = nullptr;  // that seat: it must not begin there
  unsigned victim = 0;         // who sat there, for the trace
  reach over = reach::own_node;  // likewise: of the theft that brought it to where it is
  bool travels = false;        // if it was stolen alone: whether a thief from outside may have it carried out elsewhere
};

// A thread's own stock. Its thread fills it when it is empty; any thread robs it.
class stock {
 public:
  static constexpr unsigned most = 64;

  // Its thread. False if there is no memory: then it takes one job at a time.
  bool make_room() noexcept;
  // Any thread; a guess.
  bool seems_empty() const noexcept { return size_.load(std::memory_order_relaxed) == 0; }

 private:
  friend class stocks;

  short_lock lock_;
  std::unique_ptr<stolen_job[]> jobs_;  // under lock_; the oldest first
  unsigned first_ = 0;                  // likewise
  std::atomic<unsigned> size_{0};       // written under lock_
};

// What all stocks of a pool have in common: the sleep protocol looks here.
class stocks {
 public:
  // The stock's thread, which has made room and counts as a searcher. The stock is empty.
  void put(stock& into, std::span<const stolen_job> jobs) noexcept;
  // The stock's thread: the job stolen last. `what` is null if there is none.
  stolen_job take(stock& from) noexcept;
  // Any thread: the older half, rounded up, but at most as many as `into` has. Returns how many.
  std::size_t rob(stock& from, std::span<stolen_job> into) noexcept;

  // order[idle.count]: a worker that lies down asks this after it is listed
  bool any() const noexcept { return filled_.load(std::memory_order_seq_cst) > 0; }

 private:
  void shrink(stock& s, unsigned to) noexcept;  // under its lock

  std::atomic<int> filled_{0};  // stocks that are not empty
};

}  // namespace heist::detail

HEIST_END
