// Does a pool whose number of workers changes all the time keep the bound of Arora, Blumofe and Plaxton? Programs run while
// another thread resizes the pool to a random number from 1 to 64, every ten milliseconds: on a machine that is theirs, and
// beside one spinning process on each processor.
//
// The bound is T <= T1/PA + c Tinf P/PA, where PA is the number of processors that the program had on average: its
// processor time, over T. P is the most workers, 64. So c = (processor time - T1) / (Tinf P).
//
// bench_resize [--rounds N]; it starts itself as bench_resize --spin.

#include <bench/common/bench.hpp>
#include <bench/matrix/block.hpp>

#include <heist/join.hpp>
#include <heist/measure.hpp>
#include <heist/pool.hpp>

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using bench::text;

constexpr unsigned most = 64;
constexpr std::chrono::milliseconds period(10);

BENCH_OPAQUE long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

void multiply(matrix::block c, matrix::block a, matrix::block b, std::size_t n) {
  if (n == matrix::leaf) return matrix::multiply_leaf(c, a, b);
  const std::size_t h = n / 2;
  for (std::size_t k = 0; k < 2; ++k) {
    auto part = [=](std::size_t i, std::size_t j) {
      return [=] { multiply(c.quarter(i, j, h), a.quarter(i, k, h), b.quarter(k, j, h), h); };
    };
    heist::join(part(0, 0), part(0, 1), part(1, 0), part(1, 1));
  }
}

struct program {
  std::string name;
  int times;                   // one after the other, in one root
  std::function<void()> once;  // checks its result
};

void play(const program& p) {
  for (int i = 0; i < p.times; ++i) p.once();
}

// What must be known before: on one worker.
struct alone {
  double work = 0, span = 0;  // nanoseconds
};
alone measured(const program& p) {
  heist::pool one({.workers = 1});
  bench::series time;
  for (int i = 0; i < 3; ++i) time.add(bench::thread_ns_of([&] { one.run([&] { play(p); }); }));
  const heist::measurement m = one.run([&] { return heist::measure(p.once); });
  return {time.min(), m.span * p.times};
}

struct outcome {
  double time = 0, processor = 0, workers = 0;
  double changes = 0;
};

// With `range` 0 the pool keeps its two workers.
outcome run(const program& p, unsigned range) {
  heist::pool pool({.workers = 2});
  std::atomic<bool> ended{false};
  double workers = 0;
  int changes = 0;
  std::thread changer([&] {
    std::mt19937 dice(1);
    double since = bench::now_ns();
    const double start = since;
    while (!ended) {
      if (range != 0) pool.resize(std::uniform_int_distribution<unsigned>(1, range)(dice)), ++changes;
      const unsigned now = pool.workers();
      std::this_thread::sleep_for(period);
      const double until = bench::now_ns();
      workers += now * (until - since);
      since = until;
    }
    workers /= since - start;
  });
  outcome o;
  const double before = bench::process_ns();
  o.time = bench::ns_of([&] { pool.run([&] { play(p); }); });
  o.processor = bench::process_ns() - before;
  ended = true;
  changer.join();
  o.workers = workers;
  o.changes = changes;
  return o;
}

// Spinning processes, until the end of its life.
class load {
 public:
  load(const char* self, unsigned processes) {
    const char* arguments[] = {self, "--spin", nullptr};
    spinning_.resize(processes);
    for (pid_t& p : spinning_)
      bench::expect(::posix_spawn(&p, self, nullptr, nullptr, const_cast<char**>(arguments), environ) == 0, "a process starts");
  }
  ~load() {
    for (const pid_t p : spinning_) ::kill(p, SIGKILL), ::waitpid(p, nullptr, 0);
  }
  load(const load&) = delete;
  load& operator=(const load&) = delete;

 private:
  std::vector<pid_t> spinning_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--spin") {
    const pid_t parent = ::getppid();
    for (unsigned long i = 0;; ++i)
      if (i % 10'000'000 == 0 && ::getppid() != parent) return 0;
  }
  const bench::options o = bench::parse(argc, argv, 5);
  bench::introduce("resize", o);
  matrix::input m(512);
  double product = 0;
  const std::vector<program> programs{
      {"fib(30), 40 times", 40, [] { bench::expect(fib(30) == 832'040, "fib"); }},
      {"matrix product, 512 squared, 12 times", 12,
       [&] {
         m.reset();
         multiply(m.of(m.c), m.of(m.a), m.of(m.b), m.n);
         if (product == 0) product = m.result();
         bench::expect(m.result() == product, "the product");
       }},
  };
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  bench::table t({"", "workers", "beside it", "T, ms", "resizes", "workers, mean", "PA", "T1/PA, ms", "T/(T1/PA)", "c"});
  double worst = 0;
  for (const program& p : programs) {
    const alone a = measured(p);
    std::printf("%s: T1 %.1f ms, Tinf %.3f ms\n", p.name.c_str(), a.work / 1e6, a.span / 1e6);
    for (const bool loaded : {false, true}) {
      const load others(argv[0], loaded ? cores : 0);
      for (const unsigned range : {0u, most}) {
        bench::series time, processors, ratio, c, workers, changes;
        for (int round = -1; round < o.rounds; ++round) {
          const outcome out = run(p, range);
          if (round < 0) continue;
          const double pa = out.processor / out.time;
          time.add(out.time);
          processors.add(pa);
          ratio.add(out.time / (a.work / pa));
          c.add((out.processor - a.work) / (a.span * (range != 0 ? range : 2)));
          workers.add(out.workers);
          changes.add(out.changes);
        }
        worst = std::max(worst, c.max());
        t.add({p.name, range != 0 ? "1 to 64, at random" : "2", loaded ? text("%u spin", cores) : "nothing",
               text("%.1f", time.median() / 1e6), text("%.0f", changes.median()), text("%.1f", workers.median()),
               text("%.2f", processors.median()), text("%.1f", a.work / processors.median() / 1e6),
               text("%.3f", ratio.median()), text("%.2f", c.median())});
      }
    }
  }
  std::printf("\n");
  t.print();
  std::printf("PA: processor time over T. c: what T <= T1/PA + c Tinf P/PA needs; the largest of all runs was %.2f. Medians.\n", worst);
}
