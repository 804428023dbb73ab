// Ctrl-C, a time-out and the first error stop a computation.
#include <heist/heist.hpp>

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

namespace {

// region: signal
// Requests a stop at the first Ctrl-C. Make it in main, before other threads start: they must not get the signal either.
// heist's threads block it by themselves.
class stop_at_interrupt {
 public:
  explicit stop_at_interrupt(std::stop_source stop) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    waits_ = std::jthread([set, stop](const std::stop_token& over) mutable {
      const timespec patience{.tv_sec = 0, .tv_nsec = 50'000'000};
      while (!over.stop_requested())
        if (sigtimedwait(&set, nullptr, &patience) == SIGINT) stop.request_stop();
    });
  }

 private:
  std::jthread waits_;
};
// end

// region: timer
// Requests a stop after some time, unless it is destroyed before.
class stop_after {
 public:
  stop_after(std::chrono::milliseconds time, std::stop_source stop)
      : waits_([time, stop](const std::stop_token& over) mutable {
          std::mutex lock;
          std::unique_lock hold(lock);
          std::condition_variable_any never;
          if (!never.wait_for(hold, over, time, [] { return false; }) && !over.stop_requested()) stop.request_stop();
        }) {}

 private:
  std::jthread waits_;
};
// end

// region: search
// The factors found until it is over or stopped.
std::vector<long> factors(long n, const std::stop_token& token) {
  heist::reducer<std::vector<long>, heist::op::append<std::vector<long>>> found;
  try {
    heist::for_each_index(
        1L, n + 1, [&](long k) { if (n % k == 0) found->push_back(k); }, token);
  } catch (const heist::cancelled&) {
    std::puts("stopped; this is what was found until then");
  }
  return found.take();
}
// end

// region: first_error
// The first failure in the order of the range stops the rest and arrives here; nothing else need be done.
bool all_can_be_read(const std::vector<int>& files) {
  try {
    heist::for_each(files, [](int file) { if (file < 0) throw std::runtime_error("cannot read it"); });
    return true;
  } catch (const std::runtime_error& e) {
    std::puts(e.what());
    return false;
  }
}
// end

void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED: %s\n", what);
  std::exit(1);
}

}  // namespace

int main() {
  // region: use
  std::stop_source stop;
  const stop_at_interrupt on_signal(stop);
  const stop_after limit(10min, stop);
  const std::vector<long> few = factors(60, stop.get_token());
  // end
  check(few.size() == 12, "all factors");
  kill(getpid(), SIGINT);
  while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
  std::stop_source soon;
  const stop_after at_once(1ms, soon);
  factors(1L << 50, soon.get_token());  // would take days
  check(!all_can_be_read({1, -1, 2}), "an error");
  check(all_can_be_read({1, 2}), "no error");
}
