#pragma once
// A bit of everything that takes memory, stacks or threads, for a machine that is short of them.

#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

namespace heist_test {

inline long deep_joins(int n) {
  if (n == 0) return 0;
  auto [a, b] = heist::join([=] { return deep_joins(n - 1); }, [] { return 1L; });
  return a + b;
}

inline long a_bit_of_everything() {
  heist::options o = workers(3);
  o.stack_size = 4 << 20;
  heist::pool p(o);
  long sum = p.run([] {
    std::atomic<long> n{0};
    heist::scope s;
    for (int i = 0; i < 10; ++i) s.spawn([&] { n += fib(6); });
    for (int i = 0; i < 10; ++i) s.spawn_later([&] { n += fib(6); });
    s.sync();
    return n + deep_joins(600);  // more than the deque has room for at first
  });
  heist::reducer<long> views;
  p.run([&] { heist::for_each_index(0, 1000, [&](int i) { *views += i % 2; }, heist::grain{8}); });
  sum += views.take();
  sum += p.run([] { return heist::measure([] { return fib(8); }).forks > 0 ? 1 : 0; });
  std::vector<int> v(20'000);
  std::iota(v.begin(), v.end(), 0);
  std::reverse(v.begin(), v.end());
  p.run([&] { heist::stable_sort(v, heist::grain{256}); });
  sum += std::is_sorted(v.begin(), v.end()) ? 1 : 0;
  std::atomic<long> outside{0};
  heist::scope s;
  for (int i = 0; i < 10; ++i) s.spawn([&] { ++outside; });
  s.sync();
  return sum + outside;
}
inline constexpr long answer = 20 * 8 + 600 + 500 + 1 + 1 + 10;

}  // namespace heist_test
