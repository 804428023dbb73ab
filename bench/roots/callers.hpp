#pragma once
// Many small roots from several threads: four threads that know nothing of each other call `size` times each for
// fib(12), 232 forks, and wait for every one.

#include <algorithm>
#include <array>
#include <numeric>
#include <thread>
#include <vector>

namespace roots {

constexpr std::size_t callers = 4;
constexpr long root = 12;

// call() is one root; the sum of all results.
template <class Call>
long from_all_callers(long each, Call call) {
  std::array<long, callers> sums{};
  {
    std::vector<std::jthread> threads;
    for (long& sum : sums)
      threads.emplace_back([&sum, each, call] {
        for (long i = 0; i < each; ++i) sum += call();
      });
  }
  return std::accumulate(sums.begin(), sums.end(), 0L);
}

}  // namespace roots
