// Several programs on one machine: what do they take together, and what do they waste? Each program is a process of its own with
// serial and parallel phases in turns; one, two and four of them run side by side, by heist with and without parallelism
// feedback, by oneTBB and by OpenMP. Then: how soon does a serial phase inside one root give its processors away?
//
// bench_mix [--rounds N]; it starts itself as bench_mix --play RUNTIME STEPS.

#include <bench/common/bench.hpp>
#include <bench/mix/phases.hpp>

#include <heist/for_each.hpp>
#include <heist/pool.hpp>

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace {

using bench::text;

struct runtime {
  const char* name;
  unsigned long (*play)(const mix::load&);
};
constexpr runtime runtimes[] = {{"serial", mix::serial},
                                {"heist", mix::heist},
                                {"heist, feedback", mix::heist_feedback},
                                {"oneTBB", mix::tbb},
                                {"OpenMP", mix::openmp}};

constexpr std::size_t with_feedback = 2, by_tbb = 3;

mix::load load_of(long steps) { return {.turns = 8, .steps = steps, .serial = 600, .parallel = 2'000}; }

struct outcome {
  double makespan = 0;   // seconds, until the last has ended
  double each = 0;       // the mean of what each took
  double processor = 0;  // seconds of all
};

outcome side_by_side(const char* self, std::size_t which, int programs, long steps) {
  const std::string number = std::to_string(which), length = std::to_string(steps);
  const char* arguments[] = {self, "--play", number.c_str(), length.c_str(), nullptr};
  std::vector<pid_t> running(static_cast<std::size_t>(programs));
  const double start = bench::now_ns();
  for (pid_t& p : running)
    bench::expect(::posix_spawn(&p, self, nullptr, nullptr, const_cast<char**>(arguments), environ) == 0, "a process starts");
  outcome all;
  for (int ended = 0; ended < programs; ++ended) {
    int status = 0;
    rusage used{};
    bench::expect(::wait4(-1, &status, 0, &used) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0, "a program's sum");
    all.makespan = (bench::now_ns() - start) / 1e9;
    all.each += all.makespan / programs;
    for (const timeval& t : {used.ru_utime, used.ru_stime}) all.processor += static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  }
  return all;
}

// An item of 50 microseconds, so that a program has about a second of work.
long calibrate() {
  bench::series s;
  for (int i = 0; i < 5; ++i)
    s.add(bench::thread_ns_of([] {
      unsigned long x = mix::item(1'000'000, 1);
      bench::opaque(x);
    }));
  return static_cast<long>(50'000 / (s.min() / 1e6));
}

constexpr double quantum_ms = 10;

// Milliseconds from the beginning of a serial phase until its pool has one worker; looked at every millisecond.
bench::series serial_phases(int rounds, long steps) {
  ::heist::options o;
  o.share = ::heist::share::feedback;
  ::heist::pool pool(o);
  bench::series took;
  for (int round = 0; round < rounds; ++round) {
    std::atomic<double> began{0}, alone{0};
    std::atomic<bool> ended{false};
    std::thread looks([&] {
      while (!ended) {
        if (began != 0 && alone == 0 && pool.workers() == 1) alone = bench::now_ns();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    unsigned most = 0;
    pool.run([&] {
      unsigned long results[4096];
      for (double start = bench::now_ns(); bench::now_ns() - start < 150e6;) {
        ::heist::for_each_index(0, 400, [&](int i) { results[i] = mix::item(steps, static_cast<unsigned long>(i)); });
        most = std::max(most, pool.workers());
      }
      bench::opaque(results[0]);
      began = bench::now_ns();
      while (alone == 0 && bench::now_ns() - began < 1e9) {
        unsigned long x = mix::item(steps, 1);
        bench::opaque(x);
      }
    });
    ended = true;
    looks.join();
    if (most > 1) took.add(alone != 0 ? (alone - began) / 1e6 : 1000);  // else it had nothing to give away
  }
  return took;
}

void print_serial_phases(int rounds, long steps) {
  const bench::series took = serial_phases(rounds, steps);
  std::printf("a serial phase inside one root: from its beginning until the pool has one worker\n\n");
  bench::table t({"", "phases", "median, ms", "least", "most", "at most two quanta after the one in which it begins"});
  if (took.size() > 0)
    t.add({"heist, feedback", std::to_string(took.size()), text("%.1f", took.median()), text("%.1f", took.min()),
           text("%.1f", took.max()), bench::verdict(took.median(), 3 * quantum_ms + 1)});
  else
    t.add({"heist, feedback", "0", "", "", "", "not seen: the pool never had two workers"});
  t.print();
}

}  // namespace

unsigned long mix::serial(const load& l) {
  return play(l, [](int n, auto&& body) {
    for (int i = 0; i < n; ++i) body(i);
  });
}

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "--play") {
    const mix::load l = load_of(std::stol(argv[3]));
    const unsigned long sum = runtimes[std::stoul(argv[2])].play(l);
    mix::load once = l;  // a turn is as good as another
    once.turns = 1;
    return sum == mix::serial(once) * static_cast<unsigned long>(l.turns) ? 0 : 1;
  }
  const bench::options o = bench::parse(argc, argv, 5);
  bench::introduce("mix", o);
  const long steps = calibrate();
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());

  std::vector<double> alone(std::size(runtimes));
  for (const int programs : {1, 2, 4}) {
    bench::contest contest;
    std::vector<bench::series> processor(std::size(runtimes)), each(std::size(runtimes));
    std::vector<std::size_t> numbers;
    for (std::size_t r = 0; r < std::size(runtimes); ++r)
      numbers.push_back(contest.add([&, r] {
        const outcome out = side_by_side(argv[0], r, programs, steps);
        processor[r].add(out.processor);
        each[r].add(out.each);
        return out.makespan;
      }));
    contest.play(o.rounds);

    // The serial program's processor time is what there is to do. It contains the check of the sum, as all do.
    const double work = processor[0].min();
    std::printf("%d program%s, %s s of work together, %u processors\n\n", programs, programs == 1 ? "" : "s", text("%.2f", work).c_str(), cores);
    bench::table t({"", "makespan, s", "of work/processors", "processor s", "wasted", "each, of alone", "makespan at most 1.05", "wasted at most 1/5 of oneTBB's"});
    const auto wasted = [&](std::size_t r) { return processor[r].median() - work; };
    for (std::size_t r = 0; r < std::size(runtimes); ++r) {
      const double makespan = contest[numbers[r]].median();
      if (programs == 1) alone[r] = each[r].median();
      t.add({runtimes[r].name, text("%.2f", makespan), text("%.2f", makespan / (work / cores)),
             text("%.2f", processor[r].median()), text("%.1f %%", 100 * (processor[r].median() / work - 1)),
             text("%.2f", each[r].median() / alone[r]),
             r == with_feedback && programs > 1 ? bench::verdict(makespan / (work / cores), 1.05) : "",
             r == with_feedback ? bench::verdict(wasted(r), wasted(by_tbb) / 5) : ""});
    }
    t.print();
  }
  print_serial_phases(2 * o.rounds, steps);
  std::printf("makespan: until the last program has ended. wasted: processor time beyond the serial program's. One program"
              " alone has serial phases, so it cannot reach its work over the processors. Medians.\n");
}
