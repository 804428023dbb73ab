// What each of heist's steps costs: fork, join, steal, wake, sleep. One run, the steps taken in turn.

#include "contrasts.hpp"

#include <heist/heist.hpp>
#include <heist/sched/hunger.hpp>
#include <heist/sched/pool_thread.hpp>
#include <heist/sched/scheduler.hpp>

#include <algorithm>
#include <atomic>
#include <thread>

namespace contrasts {

namespace {

using heist::detail::this_seat;
using heist::detail::this_worker;

double median(std::vector<double> all) {
  if (all.empty()) return 0;
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

double clock_ns() {
  std::vector<double> all;
  for (int i = 0; i < 1000; ++i) all.push_back(bench::ns_of([] {}));
  return median(all);
}

constexpr int deep = 64;

// What is pushed is never run.
struct halves {
  double push, take_back;
};
halves fork_and_join_ns(heist::pool& one, int turns) {
  return one.run([=] {
    static constexpr heist::detail::job::kind never_run{nullptr};
    heist::detail::job job(never_run);
    auto end = this_worker()->jobs.owner();
    double push = 0, back = 0;
    for (int i = 0; i < turns; ++i) {
      push += bench::ns_of([&] {
        for (int k = 0; k < deep; ++k)
          if (!end.push(&job)) end.make_room();
      });
      back += bench::ns_of([&] {
        for (int k = 0; k < deep; ++k)
          if (!end.take_back()) bench::expect(end.settle(), "a job was stolen by nobody");
      });
    }
    const double pairs = static_cast<double>(turns) * deep;
    const double clock = clock_ns() / deep;
    return halves{push / pairs - clock, back / pairs - clock};
  });
}

void spin_for(double ns) {
  for (const double start = bench::now_ns(); bench::now_ns() - start < ns;) {
  }
}

struct stolen {
  std::vector<double> steal, join;
};

// A branch that is stolen: from its thief's first look to its first instruction; and what its forker pays afterwards, when the branch
// has ended before the first one.
stolen steal_and_join_ns(heist::pool& two, int forks) {
  stolen all;
  const double clock = clock_ns();
  two.run([&] {
    for (int i = 0; i < forks; ++i) {
      const heist::detail::fork_place here;
      std::atomic<bool> begun{false}, ended{false};
      double first_ended = 0;
      heist::join(
          [&] {
            spin_for(300);
            if (begun) {
              while (!ended) {
              }
              spin_for(500);  // the thief is gone
              first_ended = bench::now_ns();
            }
          },
          [&] {
            if (!here.stolen()) return;
            begun = true;
            const heist::detail::pool_thread& thief = heist::detail::thread_at(*this_seat());
            all.steal.push_back(static_cast<double>(heist::detail::now() - thief.busy_since.get() + thief.paid.get()));
            ended = true;
          });
      if (first_ended > 0) all.join.push_back(bench::now_ns() - first_ended - clock);
    }
  });
  return all;
}

// From a fork in a pool whose other worker sleeps to the first instruction of the stolen branch.
double wake_ns(heist::pool& two) {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return two.run([] {
    std::atomic<double> begun{0};
    const double fork = bench::now_ns();
    heist::join(
        [&] {
          while (begun.load(std::memory_order_relaxed) == 0) {
          }
        },
        [&] { begun = bench::now_ns(); });
    return begun.load() - fork;
  });
}

// What a worker that lies down does before it sleeps: asks all to wake a sleeper, runs the fence, looks again.
double sleep_ns(heist::pool& two) {
  return two.run([] { return bench::ns_of([] { static_cast<void>(this_worker()->pool.search.ask_and_look()); }); });
}

}  // namespace

void costs(const size& s) {
  std::printf("What heist's steps cost, in ns\n\n");
  heist::pool one({.workers = 1}), two({.workers = 2});
  std::vector<double> fork, back, join, steal, wake, sleep;
  for (int round = -1; round < s.rounds; ++round) {
    if (round == 0) fork.clear(), back.clear(), join.clear(), steal.clear(), wake.clear(), sleep.clear();
    const halves h = fork_and_join_ns(one, s.of(20'000, 100));
    fork.push_back(h.push);
    back.push_back(h.take_back);
    const stolen b = steal_and_join_ns(two, s.of(20'000, 50));
    steal.insert(steal.end(), b.steal.begin(), b.steal.end());
    join.insert(join.end(), b.join.begin(), b.join.end());
    for (int i = 0; i < s.of(50, 2); ++i) wake.push_back(wake_ns(two));
    for (int i = 0; i < s.of(50, 2); ++i) sleep.push_back(sleep_ns(two));
  }
  bench::table t({"step", "median", "what it is"});
  auto row = [&](const char* name, const std::vector<double>& all, const char* form, const char* what) {
    t.add({name, all.empty() ? std::string("none") : bench::text(form, median(all)), what});
  };
  row("fork", fork, "%.2f", "push a branch");
  row("join, unstolen", back, "%.2f", "take it back");
  row("join, stolen", join, "%.0f", "the branch was stolen and has ended");
  row("steal", steal, "%.0f", "from the thief's first look to the branch's first instruction; the victim forks every 300 ns");
  row("wake", wake, "%.0f", "from a fork to the branch's first instruction on a worker that slept");
  row("sleep", sleep, "%.0f", "ask all to wake a sleeper, heavy fence, look again");
  t.print();
}

}  // namespace contrasts
