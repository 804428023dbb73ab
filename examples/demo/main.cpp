// heist_demo: the classic programs, serial and on 1 and P workers, in one table.

#include <cli/progress.hpp>
#include <examples/demo/figures.hpp>
#include <examples/demo/programs.hpp>
#include <examples/demo/report.hpp>

#include <heist/heist.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>

namespace {

using report::left;
using report::right;
using report::text;

struct settings {
  unsigned workers = heist::available_parallelism();
  int rounds = 5;
  std::string figures;  // where they are to be written, if anywhere
  std::string once;     // the only program, to be run only once: for a trace or a profile
};

constexpr double never = std::numeric_limits<double>::infinity();

// One program on a pool of its own.
struct contestant {
  explicit contestant(unsigned n) : pool({.workers = n}) {}

  heist::pool pool;
  double seconds = never;                // of the best round
  std::size_t steals = 0, suspends = 0;  // of the same
};

struct row {
  std::string name;
  bool correct = true;
  double serial = never;  // seconds, the best round
  std::vector<std::unique_ptr<contestant>> on;

  const contestant& one() const { return *on.front(); }
  const contestant& many() const { return *on.back(); }
};

// 1, 2, 4 … and all.
std::vector<unsigned> sizes(unsigned workers) {
  std::vector<unsigned> all;
  for (unsigned p = 1; p < workers; p *= 2) all.push_back(p);
  all.push_back(workers);
  return all;
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
  for (const unsigned n : sizes(with.workers)) r.on.push_back(std::make_unique<contestant>(n));
  auto timed = [&](auto&& f) {
    p.prepare();
    const double t = seconds(f);
    r.correct = r.correct && p.right();
    return t;
  };
  heist::cli::progress bar(p.name, static_cast<std::size_t>(with.rounds) * (r.on.size() + 1));
  for (int round = 0; round < with.rounds; ++round) {
    r.serial = std::min(r.serial, timed([&] { p.serial(); }));
    bar.step();
    for (const auto& c : r.on) {
      const heist::statistics before = c->pool.stats();
      const double t = timed([&] { c->pool.run([&] { p.parallel(); }); });
      const heist::statistics after = c->pool.stats();
      bar.step();
      if (t >= c->seconds) continue;
      c->seconds = t;
      c->steals = after.steals - before.steals;
      c->suspends = after.suspends - before.suspends;
    }
  }
  return r;
}

// What a stack may hold besides frames: what it keeps for its next use, its control block, and the rest of a page.
constexpr std::size_t kept_per_stack = (16 + 4 + 4) * 1024;

// P·S_1, where S_1 is one worker's peak.
figures::space space_of(const row& r) {
  const heist::statistics used = r.many().pool.stats();
  const unsigned workers = r.many().pool.workers();
  return {r.name, workers, used.stack_bytes_peak, workers * r.one().pool.stats().stack_bytes_peak,
          used.stacks_peak * kept_per_stack};
}

void print_head(unsigned workers) {
  const std::string t = text("T_%u", workers);
  std::printf("%s%s%s%s%s%s%s%s%s%s\n", left("program", 25).c_str(), left("result", 8).c_str(), right("T_s", 6).c_str(),
              right("T_1", 7).c_str(), right(t, 7).c_str(), right("T_s/" + t, 9).c_str(), right("T_1/" + t, 9).c_str(),
              right("steals", 7).c_str(), right("suspends", 10).c_str(), right("stack", 12).c_str());
}

void print(const row& r) {
  const figures::space s = space_of(r);
  auto ms = [](double t) { return right(text("%.0f", t * 1e3), 7); };
  auto times = [](double ratio) { return right(text("%.2f", ratio), 9); };
  const contestant &one = r.one(), &many = r.many();
  const char* const bounded = s.peak <= s.bound + s.kept ? "✓" : "✗";
  std::printf("%s%s%s%s%s%s%s%s%s%s\n", left(r.name, 25).c_str(), left(r.correct ? "✓" : "✗ WRONG", 7).c_str(),
              ms(r.serial).c_str(), ms(one.seconds).c_str(), ms(many.seconds).c_str(),
              times(r.serial / many.seconds).c_str(), times(one.seconds / many.seconds).c_str(),
              right(report::grouped(many.steals), 7).c_str(), right(report::grouped(many.suspends), 10).c_str(),
              right(text("%zu/%zu %s", s.peak / 1024, s.bound / 1024, bounded), 12).c_str());
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
  auto word = [&](int i) {
    if (i < argc) return argv[i];
    std::fprintf(stderr, "heist_demo: %s takes a name\n", argv[i - 1]);
    std::exit(2);
  };
  for (int i = 1; i < argc; i += 2) {
    if (std::strcmp(argv[i], "--workers") == 0) {
      s.workers = static_cast<unsigned>(number(i + 1, 4096));
    } else if (std::strcmp(argv[i], "--rounds") == 0) {
      s.rounds = static_cast<int>(number(i + 1, 1000));
    } else if (std::strcmp(argv[i], "--figures") == 0) {
      s.figures = word(i + 1);
    } else if (std::strcmp(argv[i], "--once") == 0) {
      s.once = word(i + 1);
    } else {
      std::printf("usage: heist_demo [--workers P] [--rounds R] [--figures FILE] [--once PROGRAM]\n");
      std::exit(std::strcmp(argv[i], "--help") == 0 ? 0 : 2);
    }
  }
  return s;
}

// One program, nothing timed or printed.
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

}  // namespace

int main(int argc, char** argv) try {
  const settings with = parse(argc, argv);
  if (!with.once.empty()) return run_once(with);
  const std::string machine = report::machine();
  std::printf("heist %s on %s\n\n", HEIST_VERSION, machine.c_str());
  print_head(with.workers);
  bool correct = true;
  std::vector<figures::point> points;
  std::vector<figures::space> spaces;
  for (const auto& make : demo::programs()) {
    const row r = run(make(), with);
    print(r);
    for (const auto& c : r.on) points.push_back({r.name, c->pool.workers(), c->seconds, c->steals});
    spaces.push_back(space_of(r));
    std::fflush(stdout);
    correct = correct && r.correct;
  }
  std::printf(
      "\nT_s: serial; T_1, T_%u: on 1 and %u workers; in ms, the best of %d rounds. fib, queens and tree search\n"
      "fork at every call, without a cut-off: there T_1 against T_s is the price of a fork.\n"
      "suspends: joins that waited for a thief. stack: KiB resident at the peak / P·S_1, where S_1 is one\n"
      "worker's peak; ✓: no more than that and the %zu KiB that each stack may keep.\n",
      with.workers, with.workers, with.rounds, kept_per_stack / 1024);
  if (!with.figures.empty()) figures::write(with.figures, machine, points, spaces);
  if (!correct) std::printf("\nA result is WRONG.\n");
  return correct ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "heist_demo: %s\n", e.what());
  return 2;
}
