// What a fork of tasks costs that never travel, as programs whose instructions callgrind counts: task_cost plain|tasks n
// runs fib once, on one worker. Compiled as users compile: -O2.

#include <heist/cluster.hpp>
#include <heist/heist.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace hc = heist::cluster;

long plain(int n) {
  if (n < 2) return n;
  auto [a, b] = heist::join([=] { return plain(n - 1); }, [=] { return plain(n - 2); });
  return a + b;
}

// Tasks all the way down.
long tasks(int n) {
  if (n < 2) return n;
  auto [a, b] = heist::join(hc::task<&tasks>(n - 1), hc::task<&tasks>(n - 2));
  return a + b;
}
HEIST_CLUSTER_TASK(tasks)

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int n = std::atoi(argv[2]);
  heist::options o;
  o.workers = 1;
  heist::pool p(o);
  std::printf("%ld\n", p.run([&] { return argv[1] == std::string("tasks") ? tasks(n) : plain(n); }));
}
