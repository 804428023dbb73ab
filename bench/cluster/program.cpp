// What script/cluster runs in one process and in several: program ROOT ARGUMENT. Prints the root's value, its seconds, and
// what crossed between processes, as JSON.

#include <bench/cluster/uts.hpp>

#include <heist/cluster.hpp>
#include <heist/heist.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace hc = heist::cluster;

namespace {

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Without tasks: what one machine does with a part of the tree.
long search_here(const uts::tree& t, const uts::node& n) {
  const int k = uts::children(t, n);
  auto some = [&](auto& self, int first, int last) -> long {
    if (last - first == 1) return search_here(t, uts::child(n, first));
    const int middle = first + (last - first) / 2;
    const auto [a, b] = heist::join([&, first, middle] { return self(self, first, middle); },
                                    [&, middle, last] { return self(self, middle, last); });
    return a + b;
  };
  return k == 0 ? 1 : 1 + some(some, 0, k);
}

}  // namespace

// A node of the tree and all below it. Every node can travel.
long search(std::string name, uts::state number, int depth) {
  const uts::tree& t = uts::by_name(name);
  const uts::node n{number, depth};
  const int k = uts::children(t, n);
  if (k == 0) return 1;
  if (t.geometric && depth > t.depth - 6) return search_here(t, n);
  std::vector<hc::call<&search>> next;
  next.reserve(static_cast<std::size_t>(k));
  for (int i = 0; i < k; ++i) {
    const uts::node c = uts::child(n, i);
    next.push_back(hc::task<&search>(name, c.number, c.depth));
  }
  return 1 + hc::sum(next);
}
HEIST_CLUSTER_TASK(search)

long queens_here(int n, int row, std::uint32_t columns, std::uint32_t rising, std::uint32_t falling) {
  if (row == n) return 1;
  long all = 0;
  for (std::uint32_t open = ~(columns | rising | falling) & ((1u << n) - 1); open != 0; open &= open - 1) {
    const std::uint32_t place = open & -open;
    all += queens_here(n, row + 1, columns | place, (rising | place) << 1, (falling | place) >> 1);
  }
  return all;
}
long queens(int n, int row, std::uint32_t columns, std::uint32_t rising, std::uint32_t falling) {
  if (row >= 4) return queens_here(n, row, columns, rising, falling);
  std::vector<hc::call<&queens>> next;
  for (std::uint32_t open = ~(columns | rising | falling) & ((1u << n) - 1); open != 0; open &= open - 1) {
    const std::uint32_t place = open & -open;
    next.push_back(hc::task<&queens>(n, row + 1, columns | place, (rising | place) << 1, (falling | place) >> 1));
  }
  return hc::sum(next);
}
HEIST_CLUSTER_TASK(queens)

long fib_here(int n) {
  if (n < 2) return n;
  const auto [a, b] = heist::join([=] { return fib_here(n - 1); }, [=] { return fib_here(n - 2); });
  return a + b;
}
long fib(int n) {
  if (n < 25) return fib_here(n);
  const auto [a, b] = heist::join(hc::task<&fib>(n - 1), hc::task<&fib>(n - 2));
  return a + b;
}
HEIST_CLUSTER_TASK(fib)

// What a task costs that never travels: the same with plain joins, and with tasks, all the way down.
long plain_fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = heist::join([=] { return plain_fib(n - 1); }, [=] { return plain_fib(n - 2); });
  return a + b;
}
long task_fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = heist::join(hc::task<&task_fib>(n - 1), hc::task<&task_fib>(n - 2));
  return a + b;
}
HEIST_CLUSTER_TASK(task_fib)
long tree_plain(std::string name, uts::state number, int depth) { return search_here(uts::by_name(name), {number, depth}); }
// With forks where queens() has them.
long queens_plain(int n, int row, std::uint32_t columns, std::uint32_t rising, std::uint32_t falling) {
  if (row >= 4) return queens_here(n, row, columns, rising, falling);
  std::vector<std::uint32_t> places;
  for (std::uint32_t open = ~(columns | rising | falling) & ((1u << n) - 1); open != 0; open &= open - 1) places.push_back(open & -open);
  return heist::transform_reduce(places, 0L, std::plus<>(), [=](std::uint32_t place) {
    return queens_plain(n, row + 1, columns | place, (rising | place) << 1, (falling | place) >> 1);
  });
}

// How long it takes from a fork until its second branch begins in another process: the branch tells when it began.
// Processes of one machine have one clock.
std::int64_t when_begun() { return now(); }
HEIST_CLUSTER_TASK(when_begun)
std::int64_t long_enough(std::int64_t nanoseconds) {
  const std::int64_t end = now() + nanoseconds;
  while (now() < end) {
  }
  return end;
}
HEIST_CLUSTER_TASK(long_enough)
// The median of many, in nanoseconds; below 0 if the other process took none.
long steals(int times) {
  std::vector<std::int64_t> took;
  for (int i = 0; i < times; ++i) {
    const std::int64_t pushed = now();
    const auto [until, begun] = heist::join(hc::task<&long_enough>(std::int64_t{20'000'000}), hc::task<&when_begun>());
    if (begun < until) took.push_back(begun - pushed);
  }
  if (took.empty()) return -1;
  std::ranges::nth_element(took, took.begin() + static_cast<std::ptrdiff_t>(took.size() / 2));
  return took[took.size() / 2];
}
HEIST_CLUSTER_TASK(steals)

// For crashes: each says on standard error when it begins, and where.
int stretch(int number, int milliseconds) {
  std::fprintf(stderr, "begins %d %lld %d\n", number, static_cast<long long>(now()), static_cast<int>(::getpid()));
  long_enough(std::int64_t{milliseconds} * 1'000'000);
  return number;
}
HEIST_CLUSTER_TASK(stretch)
long stretches(int many, int milliseconds) {
  std::vector<hc::call<&stretch>> all;
  for (int i = 0; i < many; ++i) all.push_back(hc::task<&stretch>(i, milliseconds));
  return hc::sum(all);
}
HEIST_CLUSTER_TASK(stretches)

namespace {

long run(hc::node& node, const std::string& what, const std::string& with) {
  if (what == "tree") return node.run<&search>(with, uts::root(uts::by_name(with)).number, 0);
  if (what == "tree_plain") return node.run<&tree_plain>(with, uts::root(uts::by_name(with)).number, 0);
  const int n = std::atoi(with.c_str());
  if (what == "queens") return node.run<&queens>(n, 0, 0u, 0u, 0u);
  if (what == "fib") return node.run<&fib>(n);
  if (what == "plain_fib") return node.run<&plain_fib>(n);
  if (what == "task_fib") return node.run<&task_fib>(n);
  if (what == "queens_plain") return node.run<&queens_plain>(n, 0, 0u, 0u, 0u);
  if (what == "steals") return node.run<&steals>(n);
  if (what == "stretches") return node.run<&stretches>(n, 10);
  if (what == "short_stretches") return node.run<&stretches>(n, 5);
  if (what == "idle") {
    if (node.as() == hc::role::helper) node.run<&fib>(0);
    std::this_thread::sleep_for(std::chrono::seconds(n));
    return 0;
  }
  throw std::invalid_argument("no such root: " + what + "; the roots are tree, queens, fib, and these with plain joins, steals, stretches and idle");
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3) throw std::invalid_argument("usage: cluster ROOT ARGUMENT [PEERS]");
  hc::node node(hc::options::from(argc, argv));
  const std::size_t peers = argc > 3 ? static_cast<std::size_t>(std::atoi(argv[3])) : 0;
  if (node.as() == hc::role::driver)
    while (node.so_far().peers < peers) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const std::int64_t start = now();
  const long value = run(node, argv[1], argv[2]);
  const double seconds = static_cast<double>(now() - start) / 1e9;
  const hc::figures f = node.so_far();
  std::printf("{\"value\": %ld, \"seconds\": %.6f, \"lent\": %llu, \"returned\": %llu, \"came_home\": %llu, \"messages\": %llu, \"bytes\": %llu}\n",
              value, seconds, static_cast<unsigned long long>(f.lent), static_cast<unsigned long long>(f.returned),
              static_cast<unsigned long long>(f.came_home), static_cast<unsigned long long>(f.messages_sent),
              static_cast<unsigned long long>(f.bytes_sent));
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
