#pragma once
// Where callers from outside wait when a pool has a cap on them. See README.md, "A cap on callers".

#include <heist/base/export.hpp>
#include <heist/options.hpp>
#include <heist/sleep/parking.hpp>
#include <heist/sleep/placement.hpp>

#include <pthread.h>

#include <mutex>

HEIST_BEGIN

namespace heist::detail {

// First come, first served: a place is handed to the first in line, so that nobody who comes later can take it.
class gate {
 public:
  // most = 0: as many as come
  gate(unsigned most, heist::placement of) noexcept : most_(most), placed_(of) {}

  bool open() const noexcept { return most_ == 0; }

  // A caller that holds no place. Returns when it has one.
  void enter() noexcept {
    if (open()) return;
    waiting me;
    {
      const std::lock_guard hold(lock_);
      if (inside_ < most_) {  // then nobody waits
        ++inside_;
        return;
      }
      (first_ == nullptr ? first_ : last_->behind) = &me;
      last_ = &me;
    }
    me.bed.wait();
    me.processor.arrive();
  }

  // The same caller, when its root has ended and its seat is given back.
  void leave() noexcept {
    if (open()) return;
    waiting* next;
    {
      const std::lock_guard hold(lock_);
      next = first_;
      if (next == nullptr) {
        --inside_;
        return;
      }
      first_ = next->behind;
    }
    if (placed_ == heist::placement::all) next->processor.send(next->thread, spot::beside);
    next->bed.post();
  }

 private:
  // Lies in the caller's frame.
  struct waiting {
    parking bed;
    pthread_t thread = ::pthread_self();
    placement processor;
    waiting* behind = nullptr;
  };

  const unsigned most_;
  const heist::placement placed_;
  std::mutex lock_;
  unsigned inside_ = 0;
  waiting *first_ = nullptr, *last_ = nullptr;
};

}  // namespace heist::detail

HEIST_END
