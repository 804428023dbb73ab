#pragma once
// OpenMP: libgomp with g++, libomp with clang. One thread of a team enters; the others take the tasks it makes.

#include <bench/runtimes/contestant.hpp>

#include <omp.h>

namespace bench {

class runtime {
 public:
  // Set for the parallel loops of the main thread; a team of tasks, which any thread may enter, says it itself.
  explicit runtime(unsigned workers) : workers_(static_cast<int>(workers)) { omp_set_num_threads(workers_); }

  template <class F>
  auto enter(F f) {
    using result = std::invoke_result_t<F&>;
    if constexpr (std::is_void_v<result>) {
#pragma omp parallel num_threads(workers_)
#pragma omp single
      f();
    } else {
      result r{};
#pragma omp parallel num_threads(workers_)
#pragma omp single
      r = f();
      return r;
    }
  }

  template <class F, class G>
  static void both(F f, G g) {
#pragma omp task shared(f)
    f();
    g();
#pragma omp taskwait
  }

 private:
  int workers_;
};

}  // namespace bench
