#pragma once
// Threads that run and do nothing: who interrupts every core of a process pays for them.

#include <atomic>
#include <thread>
#include <vector>

namespace micro {

class running_threads {
 public:
  explicit running_threads(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      threads_.emplace_back([this] {
        while (!stop_.load(std::memory_order_relaxed)) {
        }
      });
  }
  ~running_threads() { stop_.store(true, std::memory_order_relaxed); }

 private:
  std::atomic<bool> stop_{false};
  std::vector<std::jthread> threads_;  // joined first
};

}  // namespace micro
