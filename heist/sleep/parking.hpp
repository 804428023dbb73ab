#pragma once
// Where one thread waits: a futex that remembers one post.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>

#include <atomic>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

class parking {
 public:
  // One thread at a time. Returns once post() has been called since the last return.
  void wait() noexcept;
  // The same, or after about `patience`; true if posted.
  bool wait_for(nanoseconds patience) noexcept;
  // Any thread. Once the waiter may have seen the post, it touches nothing of *this, except its
  // address in the system call.
  void post() noexcept;

 private:
  bool take() noexcept {
    // order[parking.post]: what the poster wrote before
    return posted_.exchange(0, std::memory_order_acquire) != 0;
  }
  std::atomic<std::uint32_t> posted_{0};
};

}  // namespace heist::detail

HEIST_END
