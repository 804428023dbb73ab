#pragma once
// std::async: a thread for each fork, as long as few enough are alive. A fork beyond that is a call. There are more
// threads than workers, so the process is kept to as many cores.

#include <bench/runtimes/contestant.hpp>

#include <sched.h>

#include <atomic>
#include <future>
#include <utility>

namespace bench {

inline std::atomic<int> threads_left{0};

class runtime {
 public:
  explicit runtime(unsigned workers) : workers_(workers) {
    threads_left = static_cast<int>(8 * workers);
    cpu_set_t all, some;
    CPU_ZERO(&some);
    if (::sched_getaffinity(0, sizeof all, &all) != 0) return;
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&some) < static_cast<int>(workers); ++core)
      if (CPU_ISSET(core, &all)) CPU_SET(core, &some);
    ::sched_setaffinity(0, sizeof some, &some);
  }
  unsigned workers() const { return workers_; }

  template <class F>
  auto enter(F f) {
    return f();
  }

 private:
  unsigned workers_;
};

// Whether a thread may be started; who was told so says end_thread() when it has ended.
inline bool may_start_thread() {
  if (threads_left.load(std::memory_order_relaxed) <= 0) return false;
  if (threads_left.fetch_sub(1) > 0) return true;
  threads_left.fetch_add(1);
  return false;
}
inline void end_thread() { threads_left.fetch_add(1); }

// Both results; f on a thread of its own, if there may be one.
template <class F, class G>
auto fork(F f, G g) {
  if (!may_start_thread()) {
    auto a = f();
    return std::pair(std::move(a), g());
  }
  auto later = std::async(std::launch::async, std::move(f));
  auto b = g();
  auto a = later.get();
  end_thread();
  return std::pair(std::move(a), std::move(b));
}

}  // namespace bench
