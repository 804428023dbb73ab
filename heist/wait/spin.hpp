#pragma once
// A short wait on the processor, for what may come sooner than a strand could leave its worker.

#include <heist/base/cpu.hpp>
#include <heist/base/export.hpp>

#include <cstdint>
#include <thread>

HEIST_BEGIN

namespace heist::detail {

class spin {
 public:
  // Any thread: waits for a moment. False when that has taken some 300 ns in all, and at once if there is one
  // processor: then nobody can do meanwhile what is waited for.
  bool once_more() noexcept {
    if (ticks() - from_ >= most()) return false;
    relax();
    return true;
  }

 private:
  static std::uint64_t most() noexcept {
    static const std::uint64_t ticks = std::thread::hardware_concurrency() > 1 ? ten_microseconds_in_ticks() / 32 : 0;
    return ticks;
  }
  const std::uint64_t from_ = ticks();
};

}  // namespace heist::detail

HEIST_END
