#pragma once
// What the benchmarks share: a clock, contestants that take turns, and tables.

#include <examples/demo/report.hpp>

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

// What is to be computed again each time: no inlining, no cloning for constants, no guessing from the body.
#if defined(__clang__)
#define BENCH_OPAQUE __attribute__((noinline))
#else
#define BENCH_OPAQUE __attribute__((noipa))
#endif

// The compiler must have the value here, and does not know it afterwards.
template <class T>
inline void opaque(T& value) {
  asm volatile("" : "+r"(value));
}

inline double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class F>
double ns_of(F&& f) {
  const double start = now_ns();
  f();
  return now_ns() - start;
}

// The calling thread's own time: for programs of one thread, whom others on the machine then disturb less.
inline double thread_ns() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

template <class F>
double thread_ns_of(F&& f) {
  const double start = thread_ns();
  f();
  return thread_ns() - start;
}

// The whole process's time, of all its threads.
inline double process_ns() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

struct options {
  int rounds;
};

// --rounds N
inline options parse(int argc, char** argv, int default_rounds = 9) {
  options o{default_rounds};
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
      o.rounds = std::atoi(argv[++i]);
    } else {
      std::printf("usage: %s [--rounds N]    (default %d)\n", argv[0], default_rounds);
      std::exit(std::strcmp(argv[i], "--help") == 0 ? 0 : 2);
    }
  }
  return o;
}

// One figure a round.
class series {
 public:
  void add(double x) { all_.push_back(x); }
  double min() const { return *std::min_element(all_.begin(), all_.end()); }
  double max() const { return *std::max_element(all_.begin(), all_.end()); }
  double median() const {
    std::vector<double> sorted = all_;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    return n % 2 != 0 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
  }
  std::size_t size() const { return all_.size(); }
  double operator[](std::size_t i) const { return all_[i]; }

 private:
  std::vector<double> all_;
};

// Round by round: what both saw in the same round, so that a slow spell of the machine hits both.
template <class F>
series combine(const series& a, const series& b, F&& f) {
  series s;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) s.add(f(a[i], b[i]));
  return s;
}
inline series ratio(const series& a, const series& b) {
  return combine(a, b, [](double x, double y) { return x / y; });
}
inline series difference(const series& a, const series& b) {
  return combine(a, b, [](double x, double y) { return x - y; });
}

// Contestants that take turns: one round runs each once, the next starts with another one. The first round warms up and
// does not count.
class contest {
 public:
  // `run` returns its figure. Returns the contestant's number.
  std::size_t add(std::function<double()> run) {
    runs_.push_back(std::move(run));
    return runs_.size() - 1;
  }

  void play(int rounds) {
    results_.assign(runs_.size(), {});
    for (int round = -1; round < rounds; ++round) {
      for (std::size_t i = 0; i < runs_.size(); ++i) {
        const std::size_t turn = (i + static_cast<std::size_t>(round + 1)) % runs_.size();
        const double figure = runs_[turn]();
        if (round >= 0) results_[turn].add(figure);
      }
    }
  }

  const series& operator[](std::size_t i) const { return results_[i]; }

 private:
  std::vector<std::function<double()>> runs_;
  std::vector<series> results_;
};

class table {
 public:
  explicit table(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  // In Markdown, so that it can be pasted into a README; the first column to the left.
  void print() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i == widths.size()) widths.push_back(0);
        widths[i] = std::max(widths[i], report::width_of(row[i]));
      }
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (std::size_t i = 0; i < rows_[r].size(); ++i) {
        const std::string& cell = rows_[r][i];
        std::printf("| %s ", (i == 0 ? report::left(cell, widths[i]) : report::right(cell, widths[i])).c_str());
      }
      std::printf("|\n");
      if (r != 0) continue;
      for (std::size_t i = 0; i < widths.size(); ++i)
        std::printf("|%s%s", std::string(widths[i] + 1, '-').c_str(), i == 0 ? "-" : ":");
      std::printf("|\n");
    }
    std::printf("\n");
    std::fflush(stdout);
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

using report::text;

// "met" or "MISSED", for a figure that has a target.
inline std::string verdict(double figure, double most) { return figure <= most ? "met" : "MISSED"; }

inline void introduce(const char* name, const options& o) {
  std::printf("bench/%s: %s; %d rounds, interleaved\n\n", name, report::machine().c_str(), o.rounds);
}

// Against what the result should be: a benchmark of a wrong program is worth nothing.
inline void expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "wrong result: %s\n", what);
  std::exit(1);
}

}  // namespace bench
