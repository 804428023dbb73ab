#pragma once
// The strands of a pool that wait for events, and those of them that can go on. See protocols/waits.md.

#include <heist/base/cell.hpp>
#include <heist/base/export.hpp>
#include <heist/sleep/short_lock.hpp>

#include <atomic>
#include <cstddef>
#include <mutex>

HEIST_BEGIN

namespace heist::detail {

class wait;

// The one that has made a strand ready: a worker of its pool, which may soon be free for it, or some other thread.
enum class resumer : bool { other, worker };

class waits {
 public:
  // Any thread: the strand can go on. First come, first served.
  void put(wait& w, resumer who) noexcept;
  // A worker without work, or a caller, for a strand of its root. Null if there is none that can go on.
  wait* take(const void* root = nullptr) noexcept;

  // What a searcher knows of the first that can go on.
  struct sight {
    cell<std::size_t> taken;  // how many were taken before it
    cell<unsigned> looks;
  };
  // A worker that searches: the same, but a single one that another worker has made ready is left to that one for a few
  // looks. Its strand often waits next, as in a channel, and would be faster there.
  wait* take(sight& last) noexcept;

  // Any thread: of which root the first of them is a part; null: of none, or there is none.
  const void* first_root() noexcept;
  // Any thread: whether one of them is a part of that root.
  bool any_of(const void* root) noexcept;

  bool any_ready() const noexcept {
    // order[idle.count]: a worker that lies down asks this after it is listed
    return ready_.load(std::memory_order_seq_cst) > 0;
  }

  // Any thread, around what it does to the pool when it resumes a strand. The pool does not end meanwhile.
  void begin_resuming() noexcept { resuming_.fetch_add(1, std::memory_order_relaxed); }  // the strand has yet to go on
  // order[waits.end]: the last that the thread does here
  void end_resuming() noexcept { resuming_.fetch_sub(1, std::memory_order_release); }
  // The thread that ends the pool, when no strand waits.
  void await_resuming() const noexcept;

  // Sitter only: a strand begins to wait, and goes on.
  void begin() noexcept;
  void end() noexcept { waiting_.fetch_sub(1, std::memory_order_relaxed); }
  std::size_t waiting() const noexcept { return waiting_.load(std::memory_order_relaxed); }
  std::size_t peak() const noexcept { return peak_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int> ready_{0};  // changed under lock_
  std::atomic<bool> left_to_worker_{false};  // a hint: a worker has made the last one ready
  std::atomic<std::size_t> taken_{0};        // a hint
  std::atomic<int> resuming_{0};
  std::atomic<std::size_t> waiting_{0}, peak_{0};
  // Holding the lock: false if none of those that can go on is a part of that root; true does not say that one is.
  bool may_have(const void* root) const noexcept;

  short_lock lock_;
  wait *first_ = nullptr, *last_ = nullptr;
  int rootless_ = 0;  // of those in the list. They lie in strands' frames: to look through thousands takes a millisecond
};

}  // namespace heist::detail

HEIST_END
