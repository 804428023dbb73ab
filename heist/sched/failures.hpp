#pragma once
// Which of a scope's children have failed, and whether the scope was stopped.

#include <heist/base/export.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>

HEIST_BEGIN

namespace heist::detail {

class failures {
 public:
  // Any child, in a catch (...). Keeps the exception of the child with the lowest number, and a
  // heist::cancelled only if there is no other. True if the children after it are no longer wanted.
  bool fail(std::int64_t number) noexcept;
  // A child that was not run because of a stop.
  void note_stopped(std::int64_t number) noexcept;
  // Any thread: the scope is to stop.
  void stop() noexcept { stopped_.store(true, std::memory_order_relaxed); }

  // Any thread. Whether the child with this number is no longer wanted; whether that is because of
  // a stop.
  bool stops(std::int64_t number) const noexcept {
    return number > first_failed_.load(std::memory_order_relaxed) || stopped();
  }
  bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }

  // The scope's strand, when all have arrived and before it takes the failure: the next children
  // are wanted again. True if some were not.
  bool reset() noexcept;
  std::exception_ptr take() noexcept;

 private:
  void keep(std::int64_t number, std::exception_ptr e, bool was_cancelled) noexcept;

  static constexpr std::int64_t nobody = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t> first_failed_{nobody};  // the lowest number of a child that has failed
  std::atomic<bool> stopped_{false};

  std::mutex lock_;  // for the members below, until all have arrived
  std::int64_t number_ = 0;
  bool cancelled_ = false;  // it is a heist::cancelled
  std::exception_ptr what_;
};

}  // namespace heist::detail

HEIST_END
