// What does a fork cost that nobody steals? (T_1 − T_serial) / forks, at one worker.

#include <bench/fork/contestants.hpp>

namespace {

using namespace fork_bench;
using bench::series;
using bench::text;

#if defined(__clang__)
constexpr double target_ns = 2.5;
#else
constexpr double target_ns = 3.5;
#endif

struct entry {
  const contestant* who;
  int n;         // of fib; the peers' is smaller, as a fork of theirs is dearer
  long repeats;  // of flat
  std::size_t fib = 0, fib_base = 0, flat = 0, flat_base = 0;  // their numbers in the contest
};

long fib_number(int n) {
  long a = 0, b = 1;
  for (; n > 0; --n) a = std::exchange(b, a + b);
  return a;
}

double fib_ns(const contestant& c, int n) {
  double ns = 0;
  long found = 0;
  c.enter([&] { ns = bench::thread_ns_of([&] { found = c.fib(n); }); });
  bench::expect(found == fib_number(n), c.name);
  return ns;
}

double flat_ns(const contestant& c, long repeats) {
  double ns = 0;
  long found = 0;
  c.enter([&] { ns = bench::thread_ns_of([&] { found = c.flat(repeats); }); });
  bench::expect(found == repeats * (repeats + 1), c.name);
  return ns;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv, 25);
  bench::introduce("fork", o);

  std::vector<entry> entries{
      {&heist_join, 32, 3'000'000}, {&tbb_invoke, 24, 100'000}, {&tbb_group, 24, 100'000}, {&openmp, 24, 100'000}};
  // The shapes apart: so a round is short, and a contestant's neighbours in time are what it is compared with.
  bench::contest deep, flat;
  for (entry& e : entries) {
    e.fib_base = deep.add([&e] { return fib_ns(serial, e.n); });
    e.fib = deep.add([&e] { return fib_ns(*e.who, e.n); });
    e.flat_base = flat.add([&e] { return flat_ns(serial, e.repeats); });
    e.flat = flat.add([&e] { return flat_ns(*e.who, e.repeats); });
  }
  deep.play(o.rounds);
  flat.play(o.rounds);

  struct outcome {
    double min, median;
  };
  auto print = [&](const char* shape, auto&& forks, const bench::contest& c, auto&& run, auto&& base) {
    std::printf("%s\n\n", shape);
    bench::table t({"ns per fork", "serial", "whole", "fork: min", "median", "× heist"});
    std::vector<outcome> cost;
    for (const entry& e : entries) {
      const double n = forks(e);
      const series extra = bench::difference(c[run(e)], c[base(e)]);
      cost.push_back({(c[run(e)].min() - c[base(e)].min()) / n, extra.median() / n});
      t.add({e.who->name, text("%.2f", c[base(e)].min() / n), text("%.2f", c[run(e)].min() / n),
             text("%.2f", cost.back().min), text("%.2f", cost.back().median),
             text("%.1f", cost.back().min / cost.front().min)});
    }
    t.print();
    return cost;
  };
  const auto in_fib = print(
      "fib, no cut-off: deep in a recursion",
      [](const entry& e) { return static_cast<double>(fib_number(e.n + 1) - 1); }, deep,
      [](const entry& e) { return e.fib; }, [](const entry& e) { return e.fib_base; });
  print(
      "a join of two tiny calls in a loop: the deque is empty below",
      [](const entry& e) { return static_cast<double>(e.repeats); }, flat, [](const entry& e) { return e.flat; },
      [](const entry& e) { return e.flat_base; });

  double best_peer = in_fib[1].min;
  for (std::size_t i = 1; i < in_fib.size(); ++i) best_peer = std::min(best_peer, in_fib[i].min);
  std::printf("target: at most %.1f ns with this compiler: %.2f, %s\n", target_ns, in_fib[0].min,
              bench::verdict(in_fib[0].min, target_ns).c_str());
  std::printf("target: at least 20 times less than the best peer: %.1f times, %s\n", best_peer / in_fib[0].min,
              bench::verdict(20, best_peer / in_fib[0].min).c_str());
}
