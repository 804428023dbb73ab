// Time in which a thread had no processor is not charged to its strands.

#include <heist/heist.hpp>
#include <heist/meter/preemption.hpp>

#include <gtest/gtest.h>

#include <sched.h>

#include <atomic>
#include <ctime>
#include <fstream>
#include <thread>

namespace {

bool kernel_tells() { return std::ifstream("/proc/thread-self/schedstat").good(); }

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void compute(double seconds) {
  for (const double end = processor_seconds() + seconds; processor_seconds() < end;) {
  }
}

// Both on the processor where it is made.
class competitor {
 public:
  competitor() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);  // the thread below inherits it
    thread_ = std::jthread([this] {
      while (!ended_) {
      }
    });
  }
  ~competitor() {
    ended_ = true;
    thread_.join();
    sched_setaffinity(0, sizeof before_, &before_);
  }
  competitor(const competitor&) = delete;
  competitor& operator=(const competitor&) = delete;

 private:
  cpu_set_t before_;
  std::atomic<bool> ended_ = false;
  std::jthread thread_;
};

TEST(Preemption, IsSeenByTheThreadThatWaits) {
  if (!kernel_tells()) GTEST_SKIP() << "there is no schedstat";
  const competitor other;
  static_cast<void>(heist::detail::time_preempted());
  compute(0.05);
  EXPECT_GT(heist::detail::time_preempted(), 0u);
}

// A strand that computes for 0.1 s beside another thread takes about 0.2 s, and is worth little more than 0.1 s.
TEST(Preemption, IsNotChargedToTheStrand) {
  if (!kernel_tells()) GTEST_SKIP() << "there is no schedstat";
  heist::pool one({.workers = 1});
  heist::measurement m;
  one.run([&] {
    const competitor other;
    m = heist::measure([] { heist::join([] { compute(0.1); }, [] {}); });
  });
  EXPECT_GE(m.work, 0.099e9);
  EXPECT_LT(m.work, 0.15e9);
}

}  // namespace
