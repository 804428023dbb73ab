#pragma once
// A contestant of bench/waiting is a process that plays one runtime: NAME WORKERS [KIND]. It reads tasks from its
// standard input, one a line: the task's name and its numbers. It answers each with one line: its figures, and as the
// last one a number that must be the same for all contestants.

#include <bench/common/bench.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace waiting {

using figures = std::vector<double>;

// What follows the task's name.
class arguments {
 public:
  explicit arguments(const std::string& line) : in_(line) {}
  template <class T = long>
  T next() {
    T value{};
    bench::expect(static_cast<bool>(in_ >> value), "a task has all its arguments");
    return value;
  }

 private:
  std::istringstream in_;
};

using tasks = std::map<std::string, std::function<figures(arguments&)>>;

// Ends the process where the input ends: a server may still wait for connections.
[[noreturn]] inline void answer(const tasks& all) {
  for (std::string line; std::getline(std::cin, line);) {
    arguments rest(line);
    const auto task = all.find(rest.next<std::string>());
    bench::expect(task != all.end(), "a contestant knows its task");
    for (const double figure : task->second(rest)) std::printf("%.17g ", figure);
    std::printf("\n");
    std::fflush(stdout);
  }
  std::_Exit(0);
}

inline unsigned workers(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 0;
  if (n <= 0) {
    std::fprintf(stderr, "usage: %s WORKERS [KIND]    (bench_waiting starts it)\n", argv[0]);
    std::exit(2);
  }
  return static_cast<unsigned>(n);
}

// The time that f takes, the processor time of all threads meanwhile, and what f returns.
template <class F>
figures timed(F&& f) {
  double check = 0;
  const double cpu = bench::process_ns();
  const double ns = bench::ns_of([&] { check = static_cast<double>(f()); });
  return {ns, bench::process_ns() - cpu, check};
}

}  // namespace waiting
