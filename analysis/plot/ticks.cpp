#include <analysis/plot/ticks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heist::plot {
namespace {

std::string number(double x) {
  const double size = std::abs(x);
  if (size >= 1e6 && std::fmod(x, 1e6) == 0) return fmt::format("{:g}M", x / 1e6);
  if (size >= 1e4 && std::fmod(x, 1e3) == 0) return fmt::format("{:g}k", x / 1e3);
  if (size >= 1 << 20 && std::fmod(x, 1 << 20) == 0) return fmt::format("{:g}Mi", x / (1 << 20));
  if (size >= 1e4 && std::fmod(x, 1 << 10) == 0) return fmt::format("{:g}Ki", x / (1 << 10));
  return fmt::format("{:.6g}", x);
}

}  // namespace

ruler::ruler(const axis& a, const std::vector<double>& values, double from, double to)
    : scale_(a.scale),
      low_(std::numeric_limits<double>::infinity()),
      high_(-std::numeric_limits<double>::infinity()),
      from_(from),
      to_(to) {
  auto include = [&](double v) {
    if (!shows(v)) return;
    low_ = std::min(low_, v);
    high_ = std::max(high_, v);
  };
  for (const double v : values) include(v);
  if (a.low <= a.high) {
    include(a.low);
    include(a.high);
  }
  if (low_ > high_) low_ = high_ = 1;
  scale_ == scale::linear ? choose_linear() : choose_logarithmic();
}

bool ruler::shows(double v) const { return std::isfinite(v) && (scale_ == scale::linear || v > 0); }

double ruler::position(double v) const { return scale_ == scale::linear ? v : std::log2(v); }

double ruler::place(double v) const {
  const double low = position(low_), high = position(high_);
  return from_ + (to_ - from_) * (position(v) - low) / (high - low);
}

// Some five steps of 1, 2 or 5 times a power of ten; the axis ends on a tick.
void ruler::choose_linear() {
  if (high_ == low_) {
    high_ += std::max(1.0, std::abs(high_));
  }
  const double rough = (high_ - low_) / 5, base = std::pow(10, std::floor(std::log10(rough)));
  double step = base;
  for (const double factor : {2.0, 5.0, 10.0})
    if (step < rough) step = base * factor;
  low_ = std::floor(low_ / step + 1e-9) * step;
  high_ = std::ceil(high_ / step - 1e-9) * step;
  const auto n = static_cast<int>(std::lround((high_ - low_) / step));
  for (int i = 0; i <= n; ++i) {
    const double v = low_ + i * step;
    ticks_.push_back({place(v), number(std::abs(v) < step * 1e-6 ? 0 : v)});
  }
}

// Powers of the base, and fewer of them if there are many.
void ruler::choose_logarithmic() {
  const double base = scale_ == scale::log2 ? 2 : 10, unit = std::log2(base);
  auto first = static_cast<int>(std::floor(std::log2(low_) / unit + 1e-9));
  auto last = static_cast<int>(std::ceil(std::log2(high_) / unit - 1e-9));
  if (last <= first) last = first + 1;
  low_ = std::pow(base, first);
  high_ = std::pow(base, last);
  const int every = (last - first + 9) / 10;
  for (int i = first; i <= last; i += every) ticks_.push_back({place(std::pow(base, i)), number(std::pow(base, i))});
}

}  // namespace heist::plot
