#include <heist/base/cpu.hpp>
#include <heist/deque/deque.hpp>
#include <heist/fence/fence.hpp>
#include <heist/meter/steal.hpp>
#include <heist/sleep/parking.hpp>
#include <heist/sleep/placement.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>

namespace heist::detail {

namespace {

struct loot {
  alignas(8) char nothing;
};

// Pushes and pops, and shares when it is asked, until it is told to stop. Runs on another processor
// than the thief, as a worker does.
class owner {
 public:
  explicit owner(deque<loot>& jobs) : thread_([this, &jobs] { push(jobs); }) {
    processor_.send(thread_.native_handle(), spot::beside);
    bed_.post();
  }
  ~owner() {
    stop_.store(true, std::memory_order_relaxed);
    thread_.join();
  }

 private:
  void push(deque<loot>& jobs) {
    bed_.wait();
    processor_.arrive();
    loot one;
    auto mine = jobs.owner();
    for (unsigned look = 1; !stop_.load(std::memory_order_relaxed); ++look) {
      if (!mine.push(&one)) {
        mine.share(portion::half);
        mine.make_room();
      }
      for (int i = 0; i < 4; ++i) relax();
      static_cast<void>(mine.pop());
      if (look % 256 == 0) std::this_thread::yield();  // the thief may be waiting for this processor
    }
  }

  std::atomic<bool> stop_{false};
  placement processor_;
  parking bed_;
  std::thread thread_;
};

constexpr nanoseconds guess = 5'000, patience = 20'000'000;

}  // namespace

nanoseconds measure_steal() try {
  std::array<nanoseconds, 31> took{};
  std::size_t steals = 0;
  deque<loot> jobs;
  const owner busy(jobs);
  const nanoseconds deadline = now() + patience;
  for (unsigned attempt = 1; steals < took.size(); ++attempt) {
    const nanoseconds start = now();
    if (start > deadline) break;  // the machine is busy
    if (jobs.thief().steal().outcome == steal_result::stolen) continue;  // nobody had asked for it
    jobs.trip();
    for (unsigned look = 1; !jobs.seems_shared() && now() < deadline; ++look) {
      relax();
      if (look % 64 == 0) jobs.trip();  // the owner may have raised the limit since
      if (look % 1024 == 0) std::this_thread::yield();  // or be waiting for this processor
    }
    if (jobs.thief().steal().outcome == steal_result::stolen)
      took[steals++] = now() - start;
    else if (attempt % 64 == 0)
      std::this_thread::yield();  // the owner may be waiting for this processor
  }
  if (steals == 0) return guess;
  const auto median = took.begin() + static_cast<std::ptrdiff_t>(steals / 2);
  std::nth_element(took.begin(), median, took.begin() + static_cast<std::ptrdiff_t>(steals));
  return *median;
} catch (const std::exception&) {  // no thread, or no memory
  return guess;
}

}  // namespace heist::detail
