#pragma once
// A contestant's process, as bench_waiting sees it.

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace waiting {

// Starts "NAME ARGUMENT…"; NAME is a program in the folder waiting/ beside this one.
class player {
 public:
  explicit player(const std::string& command);
  player(const player&) = delete;
  player& operator=(const player&) = delete;
  ~player();

  // Asks for a task, and returns the figures of the answer. Calls `meanwhile` every millisecond until it comes. A
  // player that does not answer within two minutes ends the benchmark.
  std::vector<double> ask(const std::string& task, const std::function<void()>& meanwhile = {});

  // What the process has in memory, its page tables included.
  double resident_kib() const;

  // Whether the program was built.
  static bool exists(const std::string& command);

 private:
  const std::string command_;
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
};

}  // namespace waiting
