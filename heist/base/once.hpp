#pragma once
// Something made at first use and never destroyed. A child of fork() makes its own.

#include <heist/base/export.hpp>
#include <heist/base/process.hpp>

#include <atomic>
#include <mutex>
#include <new>

HEIST_BEGIN

namespace heist::detail {

// One for each Maker, which returns a T*.
template <class T, T* (*make)()>
T& made_once() {
  static std::atomic<T*> the_one{nullptr};
  static std::mutex lock;
  // order[once.made]: the object whole
  if (T* const p = the_one.load(std::memory_order_acquire)) return *p;
  const std::lock_guard hold(lock);
  if (T* const p = the_one.load(std::memory_order_relaxed)) return *p;
  static const bool watching = (at_fork_in_child([] {
                                  the_one.store(nullptr, std::memory_order_relaxed);
                                  new (&lock) std::mutex;  // its holder may be among the threads that are gone
                                }),
                                true);
  static_cast<void>(watching);
  T* const p = make();
  // order[once.made]: the object whole
  the_one.store(p, std::memory_order_release);
  return *p;
}

}  // namespace heist::detail

HEIST_END
