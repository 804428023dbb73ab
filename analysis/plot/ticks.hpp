#pragma once
// Where an axis has its ticks, and how values become places on it.

#include <analysis/plot/chart.hpp>

#include <string>
#include <vector>

namespace heist::plot {

class ruler {
 public:
  // An axis that shows all of `values`, from pixel `from` to pixel `to`.
  ruler(const axis& a, const std::vector<double>& values, double from, double to);

  struct tick {
    double at;  // the pixel
    std::string label;
  };
  const std::vector<tick>& ticks() const { return ticks_; }
  bool shows(double value) const;
  double place(double value) const;

 private:
  double position(double value) const;  // before pixels
  void choose_linear();
  void choose_logarithmic();
  plot::scale scale_;
  double low_, high_, from_, to_;
  std::vector<tick> ticks_;
};

}  // namespace heist::plot
