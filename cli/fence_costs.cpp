#include <cli/fence_costs.hpp>

#include <heist/fence/fence.hpp>

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace heist::cli {
namespace {

using clock = std::chrono::steady_clock;

double now_ns() { return std::chrono::duration<double, std::nano>(clock::now().time_since_epoch()).count(); }

void wait(double ns) {
  for (const double start = now_ns(); now_ns() - start < ns;) {
  }
}

bool heavy_fence() { return ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0; }

// The calling thread on the n-th of the cores it may use.
void run_on(int n, const cpu_set_t& allowed) {
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &allowed) && n-- == 0) CPU_SET(i, &one);
  ::sched_setaffinity(0, sizeof one, &one);
}

double median(std::vector<double> all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

// Reads the clock again and again on a core of its own: the longest time between two readings is what it was kept from
// its work.
class running_thread {
 public:
  explicit running_thread(const cpu_set_t& allowed)
      : thread_([this, allowed](const std::stop_token& stop) {
          run_on(1, allowed);
          while (!stop.stop_requested()) {
            const double now = now_ns(), gap = now - last_.load(std::memory_order_relaxed);
            if (gap > longest_.load(std::memory_order_relaxed)) longest_.store(gap, std::memory_order_relaxed);
            last_.store(now, std::memory_order_relaxed);
          }
        }) {}

  void forget() { longest_.store(0, std::memory_order_relaxed); }
  double longest_gap() const { return longest_.load(std::memory_order_relaxed); }
  // A fence at which it did not run does not count.
  bool runs_now() const { return now_ns() - last_.load(std::memory_order_relaxed) < 500; }

 private:
  std::atomic<double> last_{0}, longest_{0};
  std::jthread thread_;  // the last member: it uses the others
};

}  // namespace

std::optional<fence_costs> measure_fences() {
  constexpr int rounds = 1'000;
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2) return {};
  if (!detail::enable_heavy_fence() || !heavy_fence()) return {};
  std::vector<double> fences, gaps;
  run_on(0, allowed);
  {
    running_thread other(allowed);
    wait(5e6);
    for (int i = 0; i < rounds; ++i) {
      wait(20e3);
      other.forget();
      const bool runs = other.runs_now();
      const double start = now_ns();
      heavy_fence();
      const double took = now_ns() - start;
      wait(2e3);
      if (!runs) continue;
      fences.push_back(took);
      gaps.push_back(other.longest_gap());
    }
  }
  ::sched_setaffinity(0, sizeof allowed, &allowed);
  if (fences.size() < rounds / 10) return {};
  return fence_costs{median(std::move(fences)), median(std::move(gaps))};
}

}  // namespace heist::cli
