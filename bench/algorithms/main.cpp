// What do the algorithms cost and gain, next to the serial standard library, its parallel policy and OpenMP?

#include <bench/algorithms/contestants.hpp>
#include <bench/common/bench.hpp>

#include <heist/heist.hpp>

#include <tbb/global_control.h>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace {

using namespace algorithms;
using bench::text;

struct wishes {
  int rounds = 7;
  std::size_t largest = 10'000'000;
};

wishes parse(int argc, char** argv) {
  wishes w;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg == "--rounds" && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
      w.rounds = std::atoi(argv[++i]);
    } else if (arg == "--quick") {
      w = {3, 100'000};
    } else if (arg == "--huge") {
      w.largest = 100'000'000;
    } else {
      std::printf("usage: %s [--rounds N] [--quick: up to 10^5] [--huge: up to 10^8]\n", argv[0]);
      std::exit(arg == "--help" ? 0 : 2);
    }
  }
  return w;
}

// Numbers for one size: many pieces where they are small, so that no branch predictor knows them by heart.
class arena {
 public:
  explicit arena(std::size_t n)
      : n_(n), in_(std::max(n, (std::size_t{1} << 21) / n * n)), work_(in_.size()), out_(in_.size()) {
    std::mt19937_64 dice(n);
    for (double& x : in_) x = static_cast<double>(dice() >> 11) * 0x1p-53;
  }

  std::size_t pieces() const { return in_.size() / n_; }

  // Nanoseconds a piece.
  template <class Around>
  double time(problem p, solver solve, const std::vector<double>& expected, Around&& around) {
    if (p == problem::sort || p == problem::stable_sort) work_ = in_;
    std::vector<double> results(pieces());
    const double ns = around([&] {
      return bench::ns_of([&] {
        for (std::size_t k = 0; k < pieces(); ++k) results[k] = solve(p, at(k));
      });
    });
    for (std::size_t k = 0; k < pieces() && !expected.empty(); ++k) {
      const double found = digest(p, at(k), results[k]);
      bench::expect(std::abs(found - expected[k]) <= 1e-9 * std::abs(expected[k]), name_of(p));
    }
    return ns / static_cast<double>(pieces());
  }

  std::vector<double> answers(problem p) {
    work_ = in_;
    std::vector<double> all;
    for (std::size_t k = 0; k < pieces(); ++k) all.push_back(digest(p, at(k), solve_serial(p, at(k))));
    return all;
  }

 private:
  piece at(std::size_t k) { return {in_.data() + k * n_, work_.data() + k * n_, out_.data() + k * n_, n_}; }

  std::size_t n_;
  std::vector<double> in_, work_, out_;
};

// Products of ratios, and how many.
class geometric_mean {
 public:
  void add(double ratio) {
    sum_ += std::log(ratio);
    ++count_;
  }
  double value() const { return count_ == 0 ? 1 : std::exp(sum_ / count_); }

 private:
  double sum_ = 0;
  int count_ = 0;
};

struct verdicts {
  geometric_mean against_par, against_openmp;
  double worst_alone = 0;         // T_1 / serial, from 10^4 on
  double worst_small_excess = 0;  // ns above 1.05 × serial, up to 10^3, one worker or two
  double sort_largest = 0;        // against std::execution::par, two workers
};

std::string ratio_text(double ratio) { return std::isnan(ratio) ? "" : text("%.2f", ratio); }

void compare(problem p, const wishes& w, verdicts& v) {
  std::printf("%s\n\n", name_of(p));
  bench::table t(
      {"n", "serial, ns/element", "heist, P=1", "std par", "OpenMP", "heist, P=2", "std par", "OpenMP", "T_2/T_1"});
  for (std::size_t n = 1000; n <= w.largest; n *= 10) {
    arena a(n);
    const std::vector<double> expected = a.answers(p);
    heist::pool pools[] = {heist::pool({.workers = 1}), heist::pool({.workers = 2})};
    bench::contest c;
    const auto serial = c.add([&] { return a.time(p, solve_serial, expected, [](auto&& run) { return run(); }); });
    std::size_t ours[2], par[2], openmp[2] = {0, 0};
    for (const std::size_t i : {0u, 1u}) {
      ours[i] = c.add([&, i] {
        return a.time(p, solve_by_heist, expected, [&](auto&& run) { return pools[i].run([&] { return run(); }); });
      });
      par[i] = c.add([&, i] {
        const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, i + 1);
        return a.time(p, solve_by_std_par, expected, [](auto&& run) { return run(); });
      });
      if (openmp_has(p))
        openmp[i] = c.add([&, i] {
          set_openmp_threads(static_cast<int>(i) + 1);
          return a.time(p, solve_by_openmp, expected, [](auto&& run) { return run(); });
        });
    }
    c.play(w.rounds);
    const double base = c[serial].min();
    auto of = [&](std::size_t who) { return who == 0 ? std::nan("") : c[who].min() / base; };
    t.add({text("10^%.0f", std::log10(static_cast<double>(n))), text("%.2f", base / static_cast<double>(n)),
           ratio_text(of(ours[0])), ratio_text(of(par[0])), ratio_text(of(openmp[0])), ratio_text(of(ours[1])),
           ratio_text(of(par[1])), ratio_text(of(openmp[1])), text("%.2f", of(ours[1]) / of(ours[0]))});
    v.against_par.add(of(ours[1]) / of(par[1]));
    if (openmp_has(p)) v.against_openmp.add(of(ours[1]) / of(openmp[1]));
    if (n <= 1000)
      for (const std::size_t who : ours)
        v.worst_small_excess = std::max(v.worst_small_excess, c[who].min() - 1.05 * base);
    else
      v.worst_alone = std::max(v.worst_alone, of(ours[0]));
    if (p == problem::sort) v.sort_largest = of(ours[1]) / of(par[1]);
  }
  t.print();
}

}  // namespace

namespace algorithms {

const char* name_of(problem p) {
  constexpr const char* names[] = {"sort",           "stable_sort",         "reduce",
                                   "inclusive_scan", "copy_if, one in two", "histogram, 256 bins"};
  return names[static_cast<int>(p)];
}

double digest(problem p, const piece& x, double result) {
  double sum = 0;
  switch (p) {
    case problem::sort:
    case problem::stable_sort:
      if (!std::is_sorted(x.work, x.work + x.n)) return std::nan("");
      for (std::size_t i = 0; i < x.n; i += 17) sum += x.work[i];
      return sum;
    case problem::scan:
      for (std::size_t i = 0; i < x.n; i += 17) sum += x.out[i];
      return sum;
    case problem::copy_if:
      for (std::size_t i = 0; i < static_cast<std::size_t>(result); ++i) sum += x.out[i] * static_cast<double>(i % 3);
      return sum;
    case problem::reduce:
    case problem::histogram:
      return result;
  }
  return sum;
}

}  // namespace algorithms

int main(int argc, char** argv) {
  // clang's OpenMP scan has all elements on the caller's stack once more.
  rlimit stack{};
  ::getrlimit(RLIMIT_STACK, &stack);
  stack.rlim_cur = std::min<rlim_t>(stack.rlim_max, 112u << 20);
  ::setrlimit(RLIMIT_STACK, &stack);
  const wishes w = parse(argc, argv);
  bench::introduce("algorithms", {w.rounds});
  std::printf(
      "Doubles, uniform in [0, 1). By minima, as multiples of the serial time; heist inside a pool, the others as they "
      "are.\n\n");
  verdicts v;
  for (const problem p : every_problem) compare(p, w, v);
  std::printf("heist / std par, P=2, geometric mean: %.2f, target at most 1: %s\n", v.against_par.value(),
              bench::verdict(v.against_par.value(), 1).c_str());
  std::printf("heist / OpenMP, P=2, geometric mean: %.2f\n", v.against_openmp.value());
  std::printf("sort, largest n, heist / std par, P=2: %.2f, target at most 1: %s\n", v.sort_largest,
              bench::verdict(v.sort_largest, 1).c_str());
  std::printf("heist / serial, P=1, n > 1,000, the worst: %.2f, target at most 1.10: %s\n", v.worst_alone,
              bench::verdict(v.worst_alone, 1.10).c_str());
  std::printf("above 1.05 × serial, n = 1,000, the worst: %.0f ns, target at most 20: %s\n", v.worst_small_excess,
              bench::verdict(v.worst_small_excess, 20).c_str());
}
