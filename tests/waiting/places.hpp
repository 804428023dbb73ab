#pragma once
// Where the tests of waiting run: outside every pool, and in pools of 1, 2 and 8 workers.

#include "tests/support.hpp"

#include <memory>
#include <utility>

namespace heist_test {

class in_each_place : public ::testing::TestWithParam<unsigned> {
 public:
  // Null outside every pool.
  heist::pool* pool() {
    if (GetParam() > 0 && !pool_) pool_ = std::make_unique<heist::pool>(workers(GetParam()));
    return pool_.get();
  }
  template <class F>
  void run(F&& f) {
    if (heist::pool* const p = pool())
      p->run(std::forward<F>(f));
    else
      std::forward<F>(f)();
  }

 private:
  std::unique_ptr<heist::pool> pool_;
};

inline const auto everywhere = ::testing::Values(0u, 1u, 2u, 8u);
inline const auto in_pools = ::testing::Values(1u, 2u, 8u);

}  // namespace heist_test
