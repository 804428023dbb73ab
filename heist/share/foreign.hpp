#pragma once
// How many processors are busy with what is not on the board.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/share/board.hpp>

#include <cstdint>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// By the kernel's count of busy time, less the processor time of the processes on the board. Looks once in a tenth of a
// second, as the kernel counts in hundredths.
class foreign_load {
 public:
  // On average since the last look, rounded.
  unsigned processors(const std::vector<board::entry>& on_board);

 private:
  static constexpr nanoseconds period = 100'000'000;

  nanoseconds looked_ = 0;
  std::uint64_t busy_ = 0, ours_ = 0;  // nanoseconds, then
  unsigned last_ = 0;
};

}  // namespace heist::detail

HEIST_END
