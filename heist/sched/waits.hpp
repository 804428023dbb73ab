#pragma once
// The strands of a pool that wait for events, and those of them that can go on. See README.md, "The life of a wait".

#include <heist/base/export.hpp>

#include <atomic>
#include <cstddef>
#include <mutex>

HEIST_BEGIN

namespace heist::detail {

class wait;

class waits {
 public:
  // Any thread: the strand can go on. First come, first served.
  void put(wait& w) noexcept;
  // A worker without work, or a caller, for a strand of its root. Null if there is none that can go on.
  wait* take(const void* root = nullptr) noexcept;

  // Any thread: of which root the first of them is a part; null: of none, or there is none.
  const void* first_root() noexcept;

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
  std::atomic<int> ready_{0};
  std::atomic<int> resuming_{0};
  std::atomic<std::size_t> waiting_{0}, peak_{0};
  std::mutex lock_;
  wait *first_ = nullptr, *last_ = nullptr;
};

}  // namespace heist::detail

HEIST_END
