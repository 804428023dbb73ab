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

struct desire_rule {
  enum fall : unsigned char {
    divide,            // by ρ, as in the paper
    to_what_was_used,  // and to as many workers as would have been efficient, if that is less
  };
  double utilisation = 0.8;   // δ: from here on a quantum is efficient
  double responsiveness = 2;  // ρ: by what a desire rises and falls
  fall falls = to_what_was_used;
};

// After Agrawal, He, Hsu and Leiserson, "Adaptive scheduling with parallelism feedback" (2006). The simulator has the same
// rule, with other numbers (analysis/sim/allocator.cpp).
class desire {
 public:
  desire() noexcept = default;
  explicit desire(const desire_rule& rule) noexcept : rule_(rule) {}

  unsigned get() const noexcept { return wanted_; }
  void restart() noexcept { wanted_ = 1; }

  // A quantum is over: the share of the workers' time that was work, how many workers there were, and how many there may be.
  quantum judge(double worked, unsigned had, unsigned most) noexcept {
    wanted_ = std::min(wanted_, most);
    if (worked < rule_.utilisation) {
      wanted_ = static_cast<unsigned>(wanted_ / rule_.responsiveness);
      if (rule_.falls == desire_rule::to_what_was_used)
        wanted_ = std::min(wanted_, static_cast<unsigned>(std::ceil(worked * had / rule_.utilisation)));
      wanted_ = std::max(1u, wanted_);
      return quantum::inefficient;
    }
    if (had < wanted_) return quantum::efficient_deprived;
    wanted_ = std::min(most, static_cast<unsigned>(std::ceil(wanted_ * rule_.responsiveness)));
    return quantum::efficient_satisfied;
  }

 private:
  desire_rule rule_;
  unsigned wanted_ = 1;
};

}  // namespace heist::detail

HEIST_END
