#pragma once
// What tests of many folders share: waiting for what must happen, pools of a size, forks to fill them with.

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace heist_test {

// Waits for what must happen without leaving the thread. False after a minute, so that a test that fails also ends; on
// a machine under load that is still not long.
template <class Predicate>
[[nodiscard]] bool eventually(Predicate&& happened) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!happened()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

inline heist::options workers(unsigned n) {
  heist::options o;
  o.workers = n;
  return o;
}

// A fork for every addition.
inline long fib(int n) {
  if (n < 2) return n;
  auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

// Uses that many stacks at once; they are free afterwards.
inline void nest(int depth) {
  if (depth == 0) return;
  heist::scope s;
  s.spawn([=] { nest(depth - 1); });
}

// `n` branches that run at the same time, so that every worker is needed.
inline void meet(heist::pool& p, int n) {
  std::atomic<int> here{0};
  p.run([&] {
    heist::for_each_index(
        0, n,
        [&](int) {
          ++here;
          EXPECT_TRUE(eventually([&] { return here >= n; }));
        },
        heist::grain{1});
  });
}

}  // namespace heist_test
