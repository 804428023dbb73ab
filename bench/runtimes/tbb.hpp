#pragma once
// oneTBB: an arena with a place for each worker, and as many threads in the process.

#include <bench/runtimes/contestant.hpp>

#include <oneapi/tbb.h>

namespace bench {

class runtime {
 public:
  explicit runtime(unsigned workers)
      : limit_(tbb::global_control::max_allowed_parallelism, workers), arena_(static_cast<int>(workers)) {}

  template <class F>
  auto enter(F f) {
    return arena_.execute(f);
  }

  template <class F, class G>
  static void both(F f, G g) {
    tbb::parallel_invoke(f, g);
  }

 private:
  tbb::global_control limit_;
  tbb::task_arena arena_;
};

}  // namespace bench
