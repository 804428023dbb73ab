#pragma once
// The part of oneTBB that most programs use, on heist. A program comes over with
//   #include <heist/tbb.hpp>
//   namespace tbb = heist::tbb;
// docs/guides/coming_over.md says what differs and what is not here.

#include <heist/base/export.hpp>
#include <heist/pool.hpp>
#include <heist/tbb/context.hpp>
#include <heist/tbb/flattened2d.hpp>
#include <heist/tbb/locks.hpp>
#include <heist/tbb/loops.hpp>
#include <heist/tbb/once.hpp>
#include <heist/tbb/pipeline.hpp>
#include <heist/tbb/ranges.hpp>
#include <heist/tbb/specific.hpp>
#include <heist/tbb/task_group.hpp>

#include <chrono>

HEIST_BEGIN

namespace heist::tbb {

// A clock, as programs that measure themselves use it.
class HEIST_TYPE tick_count {
 public:
  class HEIST_TYPE interval_t {
   public:
    HEIST_OWN explicit interval_t(double seconds = 0) noexcept : seconds_(seconds) {}
    HEIST_OWN double seconds() const noexcept { return seconds_; }

   private:
    double seconds_;
  };
  HEIST_OWN static tick_count now() noexcept {
    tick_count t;
    t.at_ = std::chrono::steady_clock::now();
    return t;
  }
  HEIST_OWN friend interval_t operator-(const tick_count& a, const tick_count& b) noexcept {
    return interval_t(std::chrono::duration<double>(a.at_ - b.at_).count());
  }

 private:
  std::chrono::steady_clock::time_point at_;
};

namespace info {
inline int default_concurrency() { return static_cast<int>(available_parallelism()); }
}  // namespace info

}  // namespace heist::tbb

HEIST_END
