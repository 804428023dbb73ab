#pragma once
// A contestant of the suite: one program for one problem on one runtime. It takes --workers P --size n [--kind K], runs
// the problem once to warm up and once by the clock, stands idle for a moment, so that what idle workers burn is in its
// CPU time, and prints one line of JSON.

#include <bench/common/bench.hpp>
#include <bench/common/memory.hpp>

#include <malloc.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <type_traits>

namespace bench {

// Each file beside this one has its own: runtime(workers), and enter(f), which calls f on that many workers. In some,
// runtime::both(f, g) calls both, possibly in parallel: for problems whose algorithm is longer than its forks.
class runtime;

struct task {
  unsigned workers = 1;
  long size = 0;
  std::string kind;  // where a problem has several
};

inline task parse_task(int argc, char** argv) {
  task t;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--workers") == 0) t.workers = static_cast<unsigned>(std::atoi(argv[i + 1]));
    if (std::strcmp(argv[i], "--size") == 0) t.size = std::atol(argv[i + 1]);
    if (std::strcmp(argv[i], "--kind") == 0) t.kind = argv[i + 1];
  }
  // The C library keeps what is freed, in all C++ programs and Rust's alike: which of them got it back from the kernel, page by page, was
  // otherwise a matter of luck, and a fifth of Strassen's time.
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
  if (t.workers == 0 || t.size <= 0) {
    std::fprintf(stderr, "usage: %s --workers P --size n [--kind K]\n", argv[0]);
    std::exit(2);
  }
  return t;
}

constexpr std::chrono::milliseconds idle_time{50};

struct figures {
  double seconds, cpu_seconds;  // the latter of all threads, and with what they burn when there is nothing to do
};

template <class F>
figures measure(F&& f) {
  const double cpu = process_ns();
  const double seconds = ns_of(f) / 1e9;
  std::this_thread::sleep_for(idle_time);
  return {seconds, (process_ns() - cpu) / 1e9};
}

inline void print_outcome(const task& t, const figures& f, double result) {
  std::printf(
      "{\"workers\": %u, \"size\": %ld, \"seconds\": %.9f, \"cpu_seconds\": %.9f, \"result\": %.17g, \"peak_kib\": "
      "%.0f}\n",
      t.workers, t.size, f.seconds, f.cpu_seconds, result, status_kib("VmHWM"));
}

// run(runtime, task) gives the result, a number.
template <class Run, class Runtime = runtime>
int contestant(int argc, char** argv, Run run) {
  const task t = parse_task(argc, argv);
  Runtime r(t.workers);
  run(r, t);
  double result = 0;
  const figures f = measure([&] { result = static_cast<double>(run(r, t)); });
  print_outcome(t, f, result);
  return 0;
}

// For problems that work on something in memory: Input(size), reset() before each run, run(runtime, input), and
// result() afterwards. Only run is timed.
template <class Input, class Run, class Runtime = runtime>
int contestant_on(int argc, char** argv, Run run) {
  const task t = parse_task(argc, argv);
  Runtime r(t.workers);
  Input in(t.size);
  in.reset();
  run(r, in);
  in.reset();
  const figures f = measure([&] { run(r, in); });
  print_outcome(t, f, static_cast<double>(in.result()));
  return 0;
}

}  // namespace bench
