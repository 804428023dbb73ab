#pragma once
// No runtime: what all others are compared with.

#include <bench/runtimes/contestant.hpp>

namespace bench {

class runtime {
 public:
  explicit runtime(unsigned) {}

  template <class F>
  auto enter(F f) {
    return f();
  }

  template <class F, class G>
  static void both(F f, G g) {
    f();
    g();
  }
};

}  // namespace bench
