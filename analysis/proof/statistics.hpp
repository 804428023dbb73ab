#pragma once
// Means, spreads and quantiles of what was measured.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace heist::analysis {

class sample {
 public:
  sample() = default;
  explicit sample(std::vector<double> values) : values_(std::move(values)) {}

  void add(double x) {
    values_.push_back(x);
    sorted_ = false;
  }
  std::size_t size() const { return values_.size(); }
  double mean() const {
    double sum = 0;
    for (const double x : values_) sum += x;
    return values_.empty() ? 0 : sum / static_cast<double>(values_.size());
  }
  double deviation() const {
    const double m = mean();
    double sum = 0;
    for (const double x : values_) sum += (x - m) * (x - m);
    return values_.size() < 2 ? 0 : std::sqrt(sum / static_cast<double>(values_.size() - 1));
  }
  // The smallest value that at least a share q of all do not exceed.
  double quantile(double q) {
    if (values_.empty()) return 0;
    if (!sorted_) std::sort(values_.begin(), values_.end());
    sorted_ = true;
    const auto n = static_cast<double>(values_.size());
    const auto at = static_cast<std::size_t>(std::clamp(std::ceil(q * n) - 1, 0.0, n - 1));
    return values_[at];
  }
  double max() { return quantile(1); }
  double min() { return quantile(0); }

 private:
  std::vector<double> values_;
  bool sorted_ = false;
};

}  // namespace heist::analysis
