// Without a cluster: the program runs on this machine, all the same.
#include <heist/cluster.hpp>

#include <vector>

namespace hc = heist::cluster;

int count(int n) {
  if (n == 0) return 1;
  std::vector<hc::call<&count>> parts;
  for (int i = 0; i < 3; ++i) parts.push_back(hc::task<&count>(n - 1));
  return hc::sum(parts);
}
HEIST_CLUSTER_TASK(count)

int main(int argc, char** argv) {
  hc::node node(hc::options::from(argc, argv));
  return node.run<&count>(5) == 243 ? 0 : 1;
}
