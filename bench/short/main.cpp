// What do short pieces of work take on two workers: a join from outside, hot and after a second of rest; loops, folds and
// scans of a few microseconds to a few milliseconds?

#include <bench/short/contestants.hpp>

#include <sys/resource.h>

#include <cmath>
#include <numeric>
#include <thread>

namespace {

using namespace short_work;
using bench::series;
using bench::text;

const contestant* const everybody[] = {&heist_two, &tbb_two, &openmp_two, &std_par_two};

std::size_t steps_of(double us) {
  constexpr std::size_t many = 1'000'000;
  double least = 1e300;
  for (int i = 0; i < 5; ++i) least = std::min(least, bench::ns_of([] { chain(many, 1); }));
  return static_cast<std::size_t>(us * 1e3 * many / least);
}

// The median of `times` calls, in µs. Calls follow each other at once, or after a second of rest.
double join_us(const contestant& who, std::size_t steps, int times, bool rested) {
  const double right = chain(steps, 1) + chain(steps, 2);
  series s;
  for (int i = 0; i < times; ++i) {
    if (rested) std::this_thread::sleep_for(std::chrono::seconds(1));
    double sum = 0;
    s.add(bench::ns_of([&] { sum = who.join(steps); }) / 1e3);
    bench::expect(sum == right, "join");
  }
  return s.median();
}

void joins(const char* what, double us, double target, int rounds, bool rested) {
  const std::size_t steps = steps_of(us);
  bench::contest c;
  std::vector<std::pair<const contestant*, std::size_t>> in;
  for (const contestant* who : everybody)
    if (who->join != nullptr) in.emplace_back(who, c.add([=] { return join_us(*who, steps, rested ? 1 : 200, rested); }));
  c.play(rounds);
  bench::table t({what, "min", "median"});
  for (const auto& [who, i] : in) t.add({who->name, text("%.1f", c[i].min()), text("%.1f", c[i].median())});
  t.print();
  const double ours = c[in.front().second].median();
  std::printf("target: a median of at most %.1f µs: %.1f, %s\n\n", target, ours, bench::verdict(ours, target).c_str());
}

enum class loop { transform, reduce, scan };

double loop_ns(const contestant& who, loop which, const std::vector<double>& in, std::vector<double>& out) {
  const std::size_t n = in.size(), times = std::max<std::size_t>(1, 2'000'000 / n);
  double ns = 0, sum = 0;
  who.inside([&] {
    ns = bench::ns_of([&] {
      for (std::size_t i = 0; i < times; ++i) {
        if (which == loop::transform) who.transform(in.data(), out.data(), n);
        if (which == loop::reduce) sum = who.reduce(in.data(), n);
        if (which == loop::scan) who.scan(in.data(), out.data(), n);
      }
    });
  });
  auto about = [](double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); };
  const double all = std::accumulate(in.begin(), in.end(), 0.0);
  bench::expect(which != loop::reduce || about(sum, all), "reduce");
  bench::expect(which != loop::scan || about(out.back(), all), "scan");
  bench::expect(which != loop::transform || out[n / 2] == changed(in[n / 2]), "transform");
  return ns / static_cast<double>(times) / static_cast<double>(n);
}

void loops(const char* what, loop which, std::size_t n, double most_of_best, double most_ns, int rounds) {
  std::vector<double> in(n), out(n);
  for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<double>(i % 1009) / 1009;
  bench::contest c;
  for (const contestant* who : everybody) c.add([&, who] { return loop_ns(*who, which, in, out); });
  c.play(rounds);
  bench::table t({what, "min", "median"});
  double best = 1e300;
  for (std::size_t i = 0; i < std::size(everybody); ++i) {
    t.add({everybody[i]->name, text("%.3f", c[i].min()), text("%.3f", c[i].median())});
    if (i > 0) best = std::min(best, c[i].min());
  }
  t.print();
  if (most_ns > 0)
    std::printf("target: at most %.1f ns: %.2f, %s\n\n", most_ns, c[0].min(), bench::verdict(c[0].min(), most_ns).c_str());
  else
    std::printf("target: at most %.2f of the best peer: %.2f, %s\n\n", most_of_best, c[0].min() / best,
                bench::verdict(c[0].min() / best, most_of_best).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  // clang's OpenMP scan has all elements on the caller's stack once more.
  rlimit stack{};
  ::getrlimit(RLIMIT_STACK, &stack);
  stack.rlim_cur = std::min<rlim_t>(stack.rlim_max, 112u << 20);
  ::setrlimit(RLIMIT_STACK, &stack);
  const bench::options o = bench::parse(argc, argv, 11);
  bench::introduce("short", o);
  std::printf("Two workers; medians of joins, minima of loops decide.\n\n");
  joins("a hot join of 2 × 5 µs, µs", 5, 5.7, o.rounds, false);
  joins("a hot join of 2 × 50 µs, µs", 50, 51.5, o.rounds, false);
  joins("a join of 2 × 0.5 µs after 1 s of rest, µs", 0.5, 40, o.rounds, true);
  loops("transform of 1,000, from inside, ns an element", loop::transform, 1'000, 0, 3.0, o.rounds);
  loops("reduce of 10⁵ doubles, ns an element", loop::reduce, 100'000, 1.05, 0, o.rounds);
  loops("scan of 10⁵ doubles, ns an element", loop::scan, 100'000, 1.05, 0, o.rounds);
  loops("reduce of 10⁷ doubles, ns an element", loop::reduce, 10'000'000, 1.03, 0, o.rounds);
  loops("scan of 10⁷ doubles, ns an element", loop::scan, 10'000'000, 1.03, 0, o.rounds);
}
