#include <analysis/replay/spread.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heist::analysis {

namespace {

constexpr double tail = 1. / 40;

double quantile(std::vector<double> all, double part) {
  const auto at = all.begin() + std::lround(part * static_cast<double>(all.size() - 1));
  std::nth_element(all.begin(), at, all.end());
  return *at;
}

}  // namespace

// The largest of n exponential delays is on average 1 + 1/2 + … + 1/(n − 1) times their mean above the smallest.
double spread_of(const std::vector<double>& times) {
  if (times.size() < 2) return 0;
  double harmonic = 0;
  for (std::size_t i = 1; i < times.size(); ++i) harmonic += 1 / static_cast<double>(i);
  const auto [least, most] = std::ranges::minmax(times);
  return std::log(1 / tail) * (most - least) / (harmonic * least);
}

slices::slices(std::vector<double> ns) : ns_(std::move(ns)) {
  if (!ns_.empty()) ordinary_ = quantile(ns_, 0.25);
}

double slices::slower(double ns) const {
  if (ns_.empty()) return 0;
  const auto wanted = static_cast<std::size_t>(std::ceil(ns / ordinary_));
  const std::size_t n = std::clamp<std::size_t>(wanted, 1, ns_.size());
  std::vector<double> windows;
  double sum = std::accumulate(ns_.begin(), ns_.begin() + static_cast<std::ptrdiff_t>(n), 0.);
  for (std::size_t i = n;; ++i) {
    windows.push_back(sum / (static_cast<double>(n) * ordinary_));
    if (i == ns_.size()) break;
    sum += ns_[i] - ns_[i - n];
  }
  return std::max(0., quantile(windows, 1 - tail) - 1);
}

double slices::quicker() const { return ns_.empty() ? 0 : 1 - quantile(ns_, tail) / ordinary_; }

}  // namespace heist::analysis
