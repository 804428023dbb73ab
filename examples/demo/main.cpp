// heist_demo: the classic programs, serial and on 1 and P workers, in one table; for `heist demo` also as a file.

#include <examples/demo/figures.hpp>
#include <examples/demo/programs.hpp>
#include <examples/demo/report.hpp>

#include <heist/heist.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>

namespace {

using report::left;
using report::right;
using report::text;

struct settings {
  unsigned workers = heist::available_parallelism();
  int rounds = 5;
  std::string figures;  // a file for them, or none
  std::string once;     // only this program, on P workers, for a trace
};

struct row {
  std::string name;
  bool correct = true;
  double serial = std::numeric_limits<double>::infinity(), one = serial, many = serial;  // seconds, the best round
  std::size_t steals = 0, suspends = 0;                                                  // of the best round
  std::size_t stack_one = 0, stack_many = 0, stacks = 0;
  heist::measurement measured;  // if figures are wanted
};

void progress(const std::string& what) {
  if (::isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K%s", what.c_str());
}

template <class F>
double seconds(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

row run(const demo::program& p, const settings& with) {
  row r;
  r.name = p.name;
  heist::pool one({.workers = 1}), many({.workers = with.workers});
  auto timed = [&](auto&& f) {
    p.prepare();
    const double t = seconds(f);
    r.correct = r.correct && p.right();
    return t;
  };
  for (int round = 0; round < with.rounds; ++round) {
    progress(p.name + text(": round %d of %d", round + 1, with.rounds));
    r.serial = std::min(r.serial, timed([&] { p.serial(); }));
    r.one = std::min(r.one, timed([&] { one.run([&] { p.parallel(); }); }));
    const heist::statistics before = many.stats();
    const double t = timed([&] { many.run([&] { p.parallel(); }); });
    const heist::statistics after = many.stats();
    if (t >= r.many) continue;
    r.many = t;
    r.steals = after.steals - before.steals;
    r.suspends = after.suspends - before.suspends;
  }
  if (!with.figures.empty()) {
    p.prepare();
    r.measured = many.run([&] { return heist::measure([&] { p.parallel(); }); });
  }
  r.stack_one = one.stats().stack_bytes_peak;
  r.stack_many = many.stats().stack_bytes_peak;
  r.stacks = many.stats().stacks_peak;
  return r;
}

// What a stack may hold besides frames: what it keeps for its next use, its control block, and the rest of a page.
constexpr std::size_t kept_per_stack = (16 + 4 + 4) * 1024;

void print_head(unsigned workers) {
  const std::string t = text("T_%u", workers);
  std::printf("%s%s%s%s%s%s%s%s%s%s\n", left("program", 25).c_str(), left("result", 8).c_str(), right("T_s", 6).c_str(),
              right("T_1", 7).c_str(), right(t, 7).c_str(), right("T_s/" + t, 9).c_str(), right("T_1/" + t, 9).c_str(),
              right("steals", 7).c_str(), right("suspends", 10).c_str(), right("stack", 12).c_str());
}

void print(const row& r, unsigned workers) {
  const std::size_t bound = workers * r.stack_one;
  auto ms = [](double t) { return right(text("%.0f", t * 1e3), 7); };
  auto times = [](double ratio) { return right(text("%.2f", ratio), 9); };
  const char* const bounded = r.stack_many <= bound + r.stacks * kept_per_stack ? "✓" : "✗";
  std::printf("%s%s%s%s%s%s%s%s%s%s\n", left(r.name, 25).c_str(), left(r.correct ? "✓" : "✗ WRONG", 7).c_str(),
              ms(r.serial).c_str(), ms(r.one).c_str(), ms(r.many).c_str(), times(r.serial / r.many).c_str(),
              times(r.one / r.many).c_str(), right(report::grouped(r.steals), 7).c_str(),
              right(report::grouped(r.suspends), 10).c_str(),
              right(text("%zu/%zu %s", r.stack_many / 1024, bound / 1024, bounded), 12).c_str());
}

void note(demo::figures& to, const row& r, unsigned workers) {
  to.point(r.name, 1, r.one, 0);
  to.point(r.name, workers, r.many, r.steals);
  to.space(r.name, workers, r.stack_many, workers * r.stack_one);
  to.profile(r.name, r.measured);
}

// One run and nothing else, so that its trace shows it alone.
int run_once(const settings& with) {
  for (const auto& make : demo::programs()) {
    const demo::program p = make();
    if (!p.name.starts_with(with.once)) continue;
    p.prepare();
    heist::pool({.workers = with.workers}).run([&] { p.parallel(); });
    return p.right() ? 0 : 1;
  }
  std::fprintf(stderr, "heist_demo: there is no program \"%s\"\n", with.once.c_str());
  return 2;
}

settings parse(int argc, char** argv) {
  settings s;
  auto number = [&](int i, long most) {
    char* end = nullptr;
    const long n = i < argc ? std::strtol(argv[i], &end, 10) : 0;
    if (n < 1 || n > most || *end != '\0') {
      std::fprintf(stderr, "heist_demo: %s takes a number from 1 to %ld\n", argv[i - 1], most);
      std::exit(2);
    }
    return n;
  };
  for (int i = 1; i < argc; i += 2) {
    if (std::strcmp(argv[i], "--workers") == 0) {
      s.workers = static_cast<unsigned>(number(i + 1, 4096));
    } else if (std::strcmp(argv[i], "--rounds") == 0) {
      s.rounds = static_cast<int>(number(i + 1, 1000));
    } else if (i + 1 < argc && std::strcmp(argv[i], "--figures") == 0) {
      s.figures = argv[i + 1];
    } else if (i + 1 < argc && std::strcmp(argv[i], "--once") == 0) {
      s.once = argv[i + 1];
    } else {
      std::printf("usage: heist_demo [--workers P] [--rounds R] [--figures FILE] [--once PROGRAM]\n");
      std::exit(std::strcmp(argv[i], "--help") == 0 ? 0 : 2);
    }
  }
  return s;
}

}  // namespace

int main(int argc, char** argv) try {
  const settings with = parse(argc, argv);
  if (!with.once.empty()) return run_once(with);
  std::printf("heist %s on %s\n\n", HEIST_VERSION, report::machine().c_str());
  print_head(with.workers);
  bool correct = true;
  demo::figures figures;
  for (const auto& make : demo::programs()) {
    const row r = run(make(), with);
    progress("");
    print(r, with.workers);
    std::fflush(stdout);
    correct = correct && r.correct;
    note(figures, r, with.workers);
  }
  std::printf(
      "\nT_s: serial; T_1, T_%u: on 1 and %u workers; in ms, the best of %d rounds. fib, queens and tree search\n"
      "fork at every call, without a cut-off: there T_1 against T_s is the price of a fork.\n"
      "suspends: joins that waited for a thief. stack: KiB resident at the peak / P·S_1, where S_1 is one\n"
      "worker's peak; ✓: no more than that and the %zu KiB that each stack may keep.\n",
      with.workers, with.workers, with.rounds, kept_per_stack / 1024);
  if (!with.figures.empty() && !figures.write(with.figures, report::machine())) {
    std::fprintf(stderr, "heist_demo: %s cannot be written\n", with.figures.c_str());
    return 2;
  }
  if (!correct) std::printf("\nA result is WRONG.\n");
  return correct ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "heist_demo: %s\n", e.what());
  return 2;
}
