#pragma once
// A worker's variables, which only the strand running there uses, and the unit of sharing between
// cores.

#include <heist/base/export.hpp>

#include <atomic>
#include <cstddef>

HEIST_BEGIN

namespace heist::detail {

// The unit of sharing between cores. Two 64-byte lines: x86 fetches them in pairs, and a few aarch64 cores have lines of 128.
inline constexpr std::size_t cache_line = 128;

// What belongs to a worker is used by one thread at a time, but from many stacks. ThreadSanitizer takes each stack for a
// thread of its own, and the switch between two of them orders nothing (so that races between strands are found), so
// what they hand on through the worker is atomic. Relaxed: to the hardware it is one thread. The code is a plain load
// or store.
template <class T>
class cell {
 public:
  constexpr cell() noexcept = default;
  constexpr explicit cell(T value) noexcept : value_(value) {}
  cell(const cell& other) noexcept : value_(other.get()) {}
  cell& operator=(const cell& other) noexcept { return set(other.get()), *this; }
  ~cell() = default;

  T get() const noexcept { return value_.load(std::memory_order_relaxed); }
  void set(T value) noexcept { value_.store(value, std::memory_order_relaxed); }
  T replace(T value) noexcept {
    T old = get();
    set(value);
    return old;
  }

 private:
  std::atomic<T> value_{};
};

// A count with one writer at a time, which others may read: no locked instruction.
class tally {
 public:
  void add(unsigned long n = 1) noexcept { n_.set(n_.get() + n); }
  unsigned long get() const noexcept { return n_.get(); }

 private:
  cell<unsigned long> n_;
};

}  // namespace heist::detail

HEIST_END
