#pragma once
// A-Steal's desire: how many processors a pool asks for, by what it made of those that it had.

#include <heist/base/export.hpp>

#include <algorithm>
#include <cmath>

HEIST_BEGIN

namespace heist::detail {

// What a quantum was.
enum class quantum : unsigned char {
  inefficient,            // too much of the workers' time was not work
  efficient_satisfied,    // and the pool had what it desired
  efficient_deprived,     // and had less
};

// After Agrawal, He, Hsu and Leiserson, "Adaptive scheduling with parallelism feedback" (2006).
class desire {
 public:
  static constexpr double utilisation = 0.8;    // δ: from here on a quantum is efficient
  static constexpr unsigned responsiveness = 2;  // ρ: by what a desire rises and falls

  unsigned get() const noexcept { return wanted_; }
  void restart() noexcept { wanted_ = 1; }

  // A quantum is over: the share of the workers' time that was work, how many workers there were, and how many there may be.
  quantum judge(double worked, unsigned had, unsigned most) noexcept {
    wanted_ = std::min(wanted_, most);
    if (worked < utilisation) {
      const auto used = static_cast<unsigned>(std::ceil(worked * had / utilisation));
      wanted_ = std::max(1u, std::min(wanted_ / responsiveness, used));
      return quantum::inefficient;
    }
    if (had < wanted_) return quantum::efficient_deprived;
    wanted_ = std::min(most, wanted_ * responsiveness);
    return quantum::efficient_satisfied;
  }

 private:
  unsigned wanted_ = 1;
};

}  // namespace heist::detail

HEIST_END
