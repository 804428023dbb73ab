#pragma once
// How many processors are busy with what is not on the board.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/share/board.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// By the kernel's count of busy time, less the processor time of the processes on the board. Looks once in a tenth of a
// second, as the kernel counts in hundredths. What a slot says can only lower the result.
class foreign_load {
 public:
  // `statistics` is the kernel's file. Tests pass their own.
  explicit foreign_load(std::string statistics = "/proc/stat") : statistics_(std::move(statistics)) {}

  // On average since the last look, rounded.
  unsigned processors(const std::vector<board::entry>& on_board, nanoseconds time = now());

 private:
  static constexpr nanoseconds period = 100'000'000;

  struct reported {
    std::uint32_t process = 0;
    std::uint64_t processor = 0;
  };
  double used_since(const std::array<reported, board::slots>& before, double passed) const noexcept;

  const std::string statistics_;
  nanoseconds looked_ = 0;
  std::uint64_t busy_ = 0;                    // nanoseconds, then
  std::array<reported, board::slots> said_;  // likewise, by slot; no process: nothing
  unsigned last_ = 0;
};

}  // namespace heist::detail

HEIST_END
