// Is a loop without a grain as good as one with the best grain, and better than other runtimes' loops?
//   bench_loops [--rounds N] [--quick] [--grain] [--svg FILE]
// --quick: shorter loops only, and one round of them. --grain: no loops, only the grain experiment and the trees.
// --svg: where its plot goes.

#include <bench/loops/contestants.hpp>

#include <chrono>
#include <cmath>
#include <thread>

namespace {

using namespace loops_bench;
using bench::series;
using bench::text;

enum class shape { uniform, linear, last_heavy };
constexpr const char* shape_names[] = {"uniform", "linear", "last heavy"};

// So many units of work on average: all alike; growing from next to nothing to twice that; or half of all in the last.
std::vector<unsigned> units(shape s, std::size_t n, unsigned average) {
  std::vector<unsigned> u(n, average);
  if (s == shape::linear)
    for (std::size_t i = 0; i < n; ++i)
      u[i] = static_cast<unsigned>((2. * static_cast<double>(i) + 1) / static_cast<double>(n) * average);
  if (s == shape::last_heavy) u[n - 1] += static_cast<unsigned>(n - 1) * average;
  return u;
}

// How many units make an element of so many nanoseconds in a serial loop: short elements overlap, so it is measured.
unsigned units_of(double cost_ns) {
  auto element_ns = [&](unsigned u) {
    loop l(std::vector<unsigned>(cost_ns < 1e4 ? 2000 : 10, u));
    double best = 1e18;
    for (int i = 0; i < 9; ++i) best = std::min(best, bench::ns_of([&] { serial.run(l, 0, 1); }));
    return best / static_cast<double>(l.n());
  };
  double u = std::max(1., cost_ns / 1.3);
  for (int i = 0; i < 4; ++i) u = std::max(1., u * cost_ns / element_ns(static_cast<unsigned>(u + 0.5)));
  return static_cast<unsigned>(u + 0.5);
}

struct cell {
  double cost_ns;
  shape form;
  std::size_t n;
};

struct outcome {
  double serial, heist, best_grain, tbb, openmp, par;  // ns a loop, the least of all rounds
  std::size_t grain;
};

class trial {
 public:
  trial(const cell& c, unsigned average) : loop_(units(c.form, c.n, average)) {
    times_ = std::max(1L, static_cast<long>(200'000 / (c.cost_ns * static_cast<double>(c.n))));
    // Eightfold steps, and the two ends.
    for (std::size_t g = 1; g < c.n; g *= 8) grains_.push_back(g);
    grains_.push_back(c.n / 2);
  }

  outcome play(int rounds) {
    // First the grain and the chunk, then everybody against these: or the best of many would be the luckiest.
    const std::size_t grain = best_grain(heist_loop), chunk = best_grain(openmp_loop);
    bench::contest c;
    const std::size_t s = add(c, serial), h = add(c, heist_loop), g = add(c, heist_loop, grain), t = add(c, tbb_loop),
                      o = add(c, openmp_loop, chunk), p = add(c, par_loop);
    c.play(rounds);
    return {c[s].min(), c[h].min(), c[g].min(), c[t].min(), c[o].min(), c[p].min(), grain};
  }

 private:
  std::size_t best_grain(const contestant& who) {
    bench::contest c;
    for (const std::size_t g : grains_) add(c, who, g);
    c.play(2);
    std::size_t best = 0;
    for (std::size_t i = 1; i < grains_.size(); ++i)
      if (c[i].min() < c[best].min()) best = i;
    return grains_[best];
  }

  std::size_t add(bench::contest& c, const contestant& who, std::size_t grain = 0) {
    return c.add([this, &who, grain] {
      double ns = 0;
      std::fill(loop_.out.begin(), loop_.out.end(), 0);
      // Until the last one's threads have stopped spinning: OpenMP's hold a core for milliseconds after their loop.
      std::this_thread::sleep_for(std::chrono::milliseconds(8));
      who.enter([&] {
        who.run(loop_, grain, 1);  // until all workers are awake
        ns = bench::ns_of([&] { who.run(loop_, grain, times_); });
      });
      for (std::size_t i = 0; i < loop_.n(); i += loop_.n() / 10 + 1)
        bench::expect(loop_.out[i] == spin(i, loop_.units[i]), who.name);
      bench::expect(std::count(loop_.out.begin() + 1, loop_.out.end(), 0) == 0, who.name);
      return ns / static_cast<double>(times_);
    });
  }

  loop loop_;
  long times_;
  std::vector<std::size_t> grains_;
};

// 1 ns to 1 ms an element, as far as a loop takes no more than `most_ns`.
std::vector<cell> cells(double most_ns) {
  std::vector<cell> all;
  for (const double cost : {1., 10., 100., 1e3, 1e4, 1e6})
    for (const std::size_t n : {10u, 1000u, 1'000'000u})
      for (const shape s : {shape::uniform, shape::linear, shape::last_heavy})
        if (cost * static_cast<double>(n) <= most_ns) all.push_back({cost, s, n});
  return all;
}

std::string time_text(double ns) {
  return ns < 1e3 ? text("%.0f ns", ns) : ns < 1e6 ? text("%.2f µs", ns / 1e3) : text("%.2f ms", ns / 1e6);
}

class geometric_mean {
 public:
  void add(double x) { sum_ += std::log(x), ++n_; }
  double value() const { return std::exp(sum_ / n_); }

 private:
  double sum_ = 0;
  int n_ = 0;
};

void compare(const bench::options& o, double most_ns) {
  bench::table t({"element", "shape", "n", "serial", "heist", "best grain", "", "× best grain", "× serial", "× oneTBB",
                  "× OpenMP, best chunk", "× std par", "target"});
  geometric_mean over_grain, over_tbb, over_openmp, over_par;
  int met = 0, all = 0;
  double cost = 0;
  unsigned average = 0;
  for (const cell& c : cells(most_ns)) {
    if (c.cost_ns != cost) average = units_of(cost = c.cost_ns);
    const outcome r = trial(c, average).play(o.rounds);
    over_grain.add(r.heist / r.best_grain);
    over_tbb.add(r.heist / r.tbb);
    over_openmp.add(r.heist / r.openmp);
    over_par.add(r.heist / r.par);
    // Nothing to gain: no grain is worth a second worker.
    const bool gain = r.best_grain < 0.95 * r.serial;
    const double most = gain ? 1.10 * r.best_grain : 1.05 * r.serial + 20;
    ++all;
    met += r.heist <= most;
    t.add({time_text(c.cost_ns), shape_names[static_cast<int>(c.form)], report::grouped(c.n), time_text(r.serial),
           time_text(r.heist), time_text(r.best_grain), text("g %zu", r.grain), text("%.2f", r.heist / r.best_grain),
           text("%.2f", r.heist / r.serial), text("%.2f", r.heist / r.tbb), text("%.2f", r.heist / r.openmp),
           text("%.2f", r.heist / r.par), (gain ? "gain, " : "none, ") + bench::verdict(r.heist, most)});
  }
  t.print();
  std::printf(
      "target: at most 1.10 × the best grain where a second worker gains, else at most 1.05 × serial + 20 ns: "
      "%d of %d met\n"
      "geometric means: %.3f × the best grain; %.3f × oneTBB, %.3f × OpenMP with its best chunk, %.3f × std par: %s\n\n",
      met, all, over_grain.value(), over_tbb.value(), over_openmp.value(), over_par.value(),
      bench::verdict(std::max({over_tbb.value(), over_openmp.value(), over_par.value()}), 1).c_str());
}

// What a loop costs that is not in a pool: it goes into the default one and comes back.
void outside(const bench::options& o) {
  loop two({1, 1});
  bench::contest c;
  const auto in = c.add([&] { return bench::ns_of([&] { heist_from_outside(two, 1000); }) / 1000; });
  c.play(o.rounds);
  std::printf("two tiny elements from outside of a pool, warm: %s (median %s); target: at most 2 µs: %s\n\n",
              time_text(c[in].min()).c_str(), time_text(c[in].median()).c_str(), bench::verdict(c[in].median(), 2000).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false, loops = true;
  const char* svg = "grain.svg";
  std::vector<char*> rest{argv[0]};
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0)
      quick = true;
    else if (std::strcmp(argv[i], "--grain") == 0)
      loops = false;
    else if (std::strcmp(argv[i], "--svg") == 0 && i + 1 < argc)
      svg = argv[++i];
    else if (std::strcmp(argv[i], "--help") == 0)
      return std::puts("usage: bench_loops [--rounds N] [--quick] [--grain] [--svg FILE]"), 0;
    else
      rest.push_back(argv[i]);
  }
  const bench::options o = bench::parse(static_cast<int>(rest.size()), rest.data(), quick ? 1 : 5);
  bench::introduce("loops", o);
  if (loops) {
    compare(o, quick ? 1e7 : 1e8);
    outside(o);
  }
  grain_experiment(o, svg);
  balanced_trees(o);
}
