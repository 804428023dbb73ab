#pragma once
// Which pools on the board have stopped: their processes were stopped by a signal or a debugger.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/share/board.hpp>

#include <array>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

// A stopped process keeps its slot and its desire, and uses nothing. A pool that desires something ends a quantum every ten
// milliseconds, so one that has ended none for a second does not run. It counts again from its next quantum on.
class silence {
 public:
  // To be asked about a slot whenever it is read and desires something.
  bool has_stopped(const board::entry& e, nanoseconds time) noexcept {
    heard& last = last_[e.slot];
    if (last.process != e.what.process || last.pool != e.what.pool || last.quanta != e.what.quanta)
      last = {e.what.process, e.what.pool, e.what.quanta, time};
    return time - last.since > patience;
  }

 private:
  static constexpr nanoseconds patience = 1'000'000'000;

  struct heard {
    std::uint32_t process = 0, pool = 0;
    std::uint64_t quanta = 0;
    nanoseconds since = 0;
  };
  std::array<heard, board::slots> last_{};
};

}  // namespace heist::detail

HEIST_END
