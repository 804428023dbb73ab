#pragma once
// A bar on the terminal for what takes longer than two seconds; nothing where nobody looks.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <thread>

namespace heist::cli {

class progress {
 public:
  // All of one step: how far it is is not known, and a mark moves along instead.
  progress(std::string what, std::size_t all);
  ~progress();  // takes the bar away
  progress(const progress&) = delete;

  void step() { ++done_; }  // one more is done; by any thread

 private:
  void watch(const std::stop_token& over);
  void draw(std::chrono::seconds passed) const;

  const std::string what_;
  const std::size_t all_;
  std::atomic<std::size_t> done_ = 0;
  std::jthread painter_;  // only on a terminal; the last member, because it looks at the others
};

}  // namespace heist::cli
