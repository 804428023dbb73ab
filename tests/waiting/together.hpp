#pragma once
// Functions that run at the same time: as strands of a pool of some workers, or as threads outside every pool.

#include "tests/join/support.hpp"

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace heist_test {

// The parameter: how many workers the pool has; 0: no pool, but threads.
class together : public testing::TestWithParam<unsigned> {
 protected:
  bool outside() const { return GetParam() == 0; }
  bool alone() const { return GetParam() == 1; }

  // In the pool, or on this thread.
  template <class F>
  void in_place(F&& f) {
    if (outside())
      f();
    else
      run(f);
  }

  // Runs them all, and returns when all have ended. A single worker begins each when the one before ends or waits.
  template <class... F>
  void run(F&&... f) {
    if (outside()) {
      std::vector<std::jthread> threads;
      (threads.emplace_back(std::ref(f)), ...);
    } else {
      pool_->run([&] {
        heist::scope s;
        (s.spawn(std::ref(f)), ...);
      });
    }
  }
  // The same, `n` times one function that gets its number.
  template <class F>
  void run_each(int n, F&& f) {
    if (outside()) {
      std::vector<std::jthread> threads;
      for (int i = 0; i < n; ++i) threads.emplace_back([&f, i] { f(i); });
    } else {
      pool_->run([&] {
        heist::scope s;
        for (int i = 0; i < n; ++i) s.spawn([&f, i] { f(i); });
      });
    }
  }

 private:
  std::unique_ptr<heist::pool> pool_ =
      GetParam() == 0 ? nullptr : std::make_unique<heist::pool>(heist::options{.workers = GetParam()});
};

inline std::string place_name(const testing::TestParamInfo<unsigned>& p) {
  return p.param == 0 ? std::string("outside") : "in_a_pool_of_" + std::to_string(p.param);
}

}  // namespace heist_test
