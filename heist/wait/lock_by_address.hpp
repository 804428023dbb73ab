#pragma once
// Locks that are no part of what they guard: it may be gone when its lock is released, or asked for.

#include <heist/base/export.hpp>
#include <heist/base/process.hpp>
#include <heist/sleep/short_lock.hpp>

#include <cstdint>
#include <new>

HEIST_BEGIN

namespace heist::detail {

// The lock for the object at this address. Objects of one `What` may share a lock; those of two never do, so one of each can
// be held together.
template <class What>
short_lock& lock_by_address(const void* object) noexcept {
  static short_lock locks[64];
  static const bool watching = [] {
    // A child of fork() would wait for holders that do not exist there.
    at_fork_in_child([] {
      for (short_lock& l : locks) new (&l) short_lock;
    });
    return true;
  }();
  static_cast<void>(watching);
  return locks[(reinterpret_cast<std::uintptr_t>(object) >> 6) % 64];
}

}  // namespace heist::detail

HEIST_END
