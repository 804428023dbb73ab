// A parameter sweep: one call for each combination, results in the order of the calls.

#include <heist/cluster.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace hc = heist::cluster;

// region: sweep
struct setting {
  double step, damping;
  template <class Archive>
  void serialize(Archive& a) { a(step, damping); }
};

double energy_left(setting s) {  // a simulation that takes long enough to be worth a message
  double x = 1, v = 0;
  for (double t = 0; t < 100; t += s.step) {
    v -= s.step * (x + s.damping * v);
    x += s.step * v;
  }
  return x * x + v * v;
}
HEIST_CLUSTER_TASK(energy_left)

std::vector<double> sweep(std::vector<setting> over) {
  std::vector<hc::call<&energy_left>> calls;
  for (const setting& s : over) calls.push_back(hc::task<&energy_left>(s));
  return hc::all(calls);  // in the order of the calls, wherever they ran
}
HEIST_CLUSTER_TASK(sweep)
// end

int main(int argc, char** argv) {
  std::vector<setting> over;
  for (int i = 1; i <= 8; ++i)
    for (int k = 0; k < 8; ++k) over.push_back({1e-3 * i, 0.01 * k});
  hc::node node(hc::options::from(argc, argv));
  const std::vector<double> left = node.run<&sweep>(over);
  for (std::size_t i = 0; i < over.size(); ++i)
    if (left[i] != energy_left(over[i])) return 1;
  std::printf("%zu settings, least energy %.3g\n", left.size(), *std::min_element(left.begin(), left.end()));
}
