#pragma once
// What a sweep found, and its five plots.

#include <analysis/dag/measure.hpp>

#include <string>
#include <vector>

namespace heist::cli {

// One computation, scheduler and number of processors, averaged over seeds; of the space, the most.
struct sweep_point {
  std::string computation, scheduler;
  std::uint32_t processors;
  analysis::measures of;
  double time, time_ratio, space, attempts, steals, bytes, used;

  double speed_up() const { return static_cast<double>(of.work) / time; }
  double space_ratio() const { return space / (processors * static_cast<double>(of.stack)); }
  double scale() const { return processors * static_cast<double>(of.span); }  // P·T∞
  double bytes_bound() const {
    const auto frame = static_cast<double>(of.frame);
    return scheduler == "sharing" ? static_cast<double>(of.work) * frame
                                  : scale() * static_cast<double>(1 + of.joins) * frame;
  }
};

void write_charts(const std::vector<sweep_point>& points, const std::string& folder);

}  // namespace heist::cli
