#pragma once
// heist: a pool of its own, entered by the main thread.

#include <bench/runtimes/contestant.hpp>

#include <heist/heist.hpp>

namespace bench {

class runtime {
 public:
  explicit runtime(unsigned workers) : pool_({.workers = workers}) {}

  template <class F>
  auto enter(F f) {
    return pool_.run(f);
  }

  template <class F, class G>
  static void both(F f, G g) {
    heist::join(f, g);
  }

 private:
  heist::pool pool_;
};

}  // namespace bench
