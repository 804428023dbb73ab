// A task without HEIST_CLUSTER_TASK: the node says so when it starts.

#include <heist/cluster.hpp>
#include <heist/join.hpp>

#include <cstdio>
#include <exception>

int forgotten(int n) {
  if (n == 0) return 1;
  auto [a, b] = heist::join(heist::cluster::task<&forgotten>(n - 1), heist::cluster::task<&forgotten>(n - 1));
  return a + b;
}

int main() try {
  heist::cluster::node node;
  return node.run<&forgotten>(3) == 8 ? 0 : 1;
} catch (const std::exception& e) {
  std::printf("%s\n", e.what());
  return 3;
}
