#pragma once
// Simulated clusters as charts.

#include <analysis/cluster/options.hpp>

#include <string>
#include <vector>

namespace heist::cli {

// The mean of several seeds.
struct cluster_means {
  double time = 0, spread = 0, path = 0, lost = 0, loans = 0, messages = 0, bytes = 0, busiest = 0, most_handled = 0,
         deaths = 0;
};
cluster_means mean(const clusters::report* first, std::size_t seeds);

struct cluster_point {
  clusters::options options;
  std::string levels, lifelines, steal;
  cluster_means seen;

  double efficiency() const { return options.best() / seen.time; }
  double bytes_constant() const { return seen.bytes / (options.thieves() * seen.path * 2 * options.frame); }
};

// Over the latency, or over the machines where there is only one latency.
void draw_efficiency(const std::vector<cluster_point>& all, const std::string& path);
void draw_bytes(const std::vector<cluster_point>& all, const std::string& path);

}  // namespace heist::cli
