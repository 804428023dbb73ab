#pragma once
// What the programs here share: a check that ends the program, and a watchdog that ends it when nothing moves.

#include <heist/check/chaos.hpp>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

// Exit codes that script/mutants knows.
inline constexpr int broken = 1;
inline constexpr int stuck = 3;

[[noreturn]] inline void give_up(int code, const char* what, const char* more = "") {
  const char* seed = nullptr;
#if defined(HEIST_CHAOS)
  seed = heist::detail::chaos::seed_text();
#endif
  std::printf("%s%s (%s%s)\n", what, more, seed != nullptr ? "HEIST_CHAOS=" : "without chaos",
              seed != nullptr ? seed : "");
  std::fflush(stdout);
  ::_exit(code);
}

inline void check(bool holds, const char* otherwise) {
  if (!holds) [[unlikely]]
    give_up(broken, otherwise);
}

// Ends the program if moved() is not called for some seconds: far longer than chaos, a loaded machine and a sanitizer
// together can hold everybody up.
class watchdog {
 public:
  explicit watchdog(const char* what) : thread_([this, what] { watch(what); }) {}
  ~watchdog() {
    over_.store(true);
    thread_.join();
  }
  void moved() { moves_.fetch_add(1, std::memory_order_relaxed); }

 private:
  void watch(const char* what) {
    constexpr int most = 160;  // of 50 ms
    long last = -1;
    for (int quiet = 0; !over_.load(); ++quiet) {
      const long now = moves_.load();
      if (now != last) quiet = 0;
      last = now;
      if (quiet > most) give_up(stuck, "nobody has moved for 8 s: ", what);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

  std::atomic<long> moves_{0};
  std::atomic<bool> over_{false};
  std::thread thread_;
};

// A time to be up to something.
class until {
 public:
  explicit until(double seconds)
      : end_(clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds))) {}
  bool over() const { return clock::now() >= end_; }

 private:
  using clock = std::chrono::steady_clock;
  clock::time_point end_;
};
