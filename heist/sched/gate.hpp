#pragma once
// Where callers from outside wait if a pool limits their number. See protocols/callers.md, "A cap on callers".

#include <heist/base/export.hpp>
#include <heist/options.hpp>

#include <mutex>

HEIST_BEGIN

namespace heist::detail {

// First come, first served: a place is handed to the first in line, so no later caller can take it.
class gate {
 public:
  // most = 0: no limit
  gate(unsigned most, heist::placement of) noexcept : most_(most), placed_(of) {}

  bool open() const noexcept { return most_ == 0; }

  // A caller that holds no place. Returns when it has one.
  void enter() noexcept;
  // The same caller, when its root has ended and it has given back its seat.
  void leave() noexcept;

 private:
  struct waiting;

  const unsigned most_;
  const heist::placement placed_;
  std::mutex lock_;
  unsigned inside_ = 0;
  waiting *first_ = nullptr, *last_ = nullptr;
};

}  // namespace heist::detail

HEIST_END
