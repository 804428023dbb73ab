// What does it cost to wait: to suspend and resume a strand, to hand a value over, to contend for a lock? And do thousands of
// strands that wait keep two workers busy?

#include <bench/common/bench.hpp>

#include <heist/heist.hpp>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>
#include <thread>

namespace {

using bench::text;

void work_for(double ns) {
  for (const double start = bench::now_ns(); bench::now_ns() - start < ns;) {
  }
}

// One after the other, in turns with all others.
struct row {
  std::string name;
  std::function<double()> run;  // in `unit`
  const char* unit;
  double most;  // 0: no target
};

void play(const std::vector<row>& rows, int rounds) {
  bench::contest c;
  for (const row& r : rows) c.add(r.run);
  c.play(rounds);
  bench::table t({"", "min", "median", "", "target"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double median = c[i].median();
    t.add({rows[i].name, text("%.1f", c[i].min()), text("%.1f", median), rows[i].unit,
           rows[i].most > 0 ? text("%.0f ", rows[i].most) + bench::verdict(median, rows[i].most) : ""});
  }
  t.print();
}

// Suspend and resume ----------------------------------------------------------------------------------------------------

// On a worker of the pool, not on the caller's thread.
template <class F>
double on_a_worker(heist::pool& pool, F f) {
  double found = 0;
  pool.detach([&] { found = f(); });
  pool.wait_idle();
  return found;
}

double suspend_at_once(heist::pool& pool) {
  constexpr int n = 200'000;
  return on_a_worker(pool, [] {
    return bench::ns_of([] {
             for (int i = 0; i < n; ++i) heist::suspend([](heist::resumption r) { r.resume(); });
           }) / n;
  });
}

// Two strands that resume each other: a suspend and a resume each time.
double suspend_and_resume(heist::pool& pool) {
  constexpr int n = 50'000;
  std::mutex lock;
  heist::resumption other;
  auto hand_on = [&](heist::resumption mine) {
    heist::resumption next;
    {
      const std::lock_guard hold(lock);
      next = std::move(other);
      other = std::move(mine);
    }
    if (next) next.resume();
  };
  return on_a_worker(pool, [&] {
    auto player = [&] {
      for (int i = 0; i < n; ++i) heist::suspend([&](heist::resumption r) { hand_on(std::move(r)); });
      hand_on({});
    };
    return bench::ns_of([&] { heist::join(player, player); }) / (2 * n);
  });
}

// From the call of resume() by another thread to the strand's next instruction, while a worker searches.
double resume_from_outside(heist::pool& pool) {
  constexpr int n = 300;
  std::vector<double> took;
  std::atomic<heist::resumption*> there{nullptr};
  std::atomic<double> called{0};
  std::thread caller([&] {
    for (int i = 0; i < n; ++i) {
      heist::resumption* r;
      while ((r = there.exchange(nullptr)) == nullptr) {
      }
      work_for(5'000);  // the worker searches for 50 µs
      heist::resumption mine = std::move(*r);
      called = bench::now_ns();
      mine.resume();
    }
  });
  const double median = on_a_worker(pool, [&] {
    for (int i = 0; i < n; ++i) {
      heist::resumption kept;
      heist::suspend([&](heist::resumption r) {
        kept = std::move(r);
        there = &kept;
      });
      took.push_back(bench::now_ns() - called);
    }
    std::sort(took.begin(), took.end());
    return took[took.size() / 2];
  });
  caller.join();
  return median;
}

// Values ------------------------------------------------------------------------------------------------------------------

double channel_round_trip(heist::pool& pool) {
  constexpr int n = 30'000;
  return on_a_worker(pool, [] {
    heist::channel<int> there(0), back(0);
    return bench::ns_of([&] {
             heist::join(
                 [&] {
                   for (int i = 0; i < n; ++i) {
                     there.push(i);
                     bench::expect(back.pop() == i, "a value came back");
                   }
                   there.close();
                 },
                 [&] {
                   for (const int v : there) back.push(v);
                 });
           }) / n;
  });
}

double threads_round_trip() {
  constexpr int n = 3'000;
  std::mutex m;
  std::condition_variable changed;
  int turn = 0;
  auto play = [&](int mine) {
    for (int i = 0; i < n; ++i) {
      std::unique_lock hold(m);
      changed.wait(hold, [&] { return turn == mine; });
      turn = 1 - mine;
      changed.notify_one();
    }
  };
  return bench::ns_of([&] {
           std::thread other(play, 1);
           play(0);
           other.join();
         }) / n;
}

double heist_async(heist::pool& pool) {
  constexpr int n = 200'000;
  return on_a_worker(pool, [] {
    long sum = 0;
    const double ns = bench::ns_of([&] {
      for (int i = 0; i < n; ++i) sum += heist::async([i] { return i & 1; }).get();
    });
    bench::expect(sum == n / 2, "the sum of all futures");
    return ns / n;
  });
}

double std_async() {
  constexpr int n = 300;
  return bench::ns_of([] {
           for (int i = 0; i < n; ++i) (void)std::async(std::launch::async, [i] { return i; }).get();
         }) / n;
}

double tbb_group() {
  constexpr int n = 100'000;
  tbb::task_arena one(1);
  return one.execute([] {
    return bench::ns_of([] {
             for (int i = 0; i < n; ++i) {
               tbb::task_group g;
               g.run([] {});
               g.wait();
             }
           }) / n;
  });
}

// Locks -------------------------------------------------------------------------------------------------------------------

template <class Mutex>
double sections(double ns, int n, const std::function<void(const std::function<void()>&)>& eight_at_once) {
  Mutex m;
  long count = 0;
  const double all = bench::ns_of([&] {
    eight_at_once([&] {
      for (int i = 0; i < n; ++i) {
        const std::lock_guard hold(m);
        work_for(ns);
        ++count;
      }
    });
  });
  bench::expect(count == 8L * n, "nobody is lost");
  return all / static_cast<double>(count);
}

void as_strands(heist::pool& pool, const std::function<void()>& f) {
  pool.run([&] {
    heist::with_scope([&](heist::scope& s) {
      for (int i = 0; i < 8; ++i) s.spawn([&] { f(); });
    });
  });
}

void as_threads(const std::function<void()>& f) {
  std::vector<std::thread> all;
  for (int i = 0; i < 8; ++i) all.emplace_back(f);
  for (std::thread& t : all) t.join();
}

// Many ----------------------------------------------------------------------------------------------------------------------

// 10,000 tasks that wait 10 ms and then compute 100 µs: half a second of work for each of two workers.
double many_that_wait(heist::pool& pool) {
  constexpr int n = 10'000;
  std::atomic<int> ended{0};
  const double ns = bench::ns_of([&] {
    pool.run([&] {
      heist::with_scope([&](heist::scope& s) {
        for (int i = 0; i < n; ++i)
          s.spawn([&] {
            heist::sleep_for(std::chrono::milliseconds(10));
            work_for(100'000);
            ++ended;
          });
      });
    });
  });
  bench::expect(ended == n, "all have ended");
  return ns / (n * 100e3 / 2) * 100;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv, 9);
  bench::introduce("waiting", o);
  heist::pool one({.workers = 1}), two({.workers = 2}), eight({.workers = 8});
  play({{"suspend, resumed at once", [&] { return suspend_at_once(one); }, "ns", 250},
        {"suspend and resume, one worker", [&] { return suspend_and_resume(one); }, "ns", 250},
        {"suspend and resume, two workers", [&] { return suspend_and_resume(two); }, "ns", 0},
        {"resumed by another thread, a worker searches", [&] { return resume_from_outside(one); }, "ns", 1500},
        {"channel there and back, one worker", [&] { return channel_round_trip(one); }, "ns", 0},
        {"channel there and back, two workers", [&] { return channel_round_trip(two); }, "ns", 0},
        {"two threads and a condition variable", threads_round_trip, "ns", 0},
        {"async and get, nothing stolen", [&] { return heist_async(one); }, "ns", 20},
        {"std::async and get", std_async, "ns", 0},
        {"tbb::task_group, run and wait", tbb_group, "ns", 0}},
       o.rounds);
  for (const auto& [ns, n] : {std::pair{100.0, 4'000}, std::pair{10'000.0, 200}}) {
    std::printf("\neight that want a lock for %.0f ns, by section:\n", ns);
    play({{"heist::mutex, strands of eight workers", [&, ns = ns, n = n] {
             return sections<heist::mutex>(ns, n, [&](const auto& f) { as_strands(eight, f); });
           }, "ns", 0},
          {"heist::mutex, strands of two workers", [&, ns = ns, n = n] {
             return sections<heist::mutex>(ns, n, [&](const auto& f) { as_strands(two, f); });
           }, "ns", 0},
          {"std::mutex, eight threads", [&, ns = ns, n = n] {
             return sections<std::mutex>(ns, n, [](const auto& f) { as_threads(f); });
           }, "ns", 0}},
         o.rounds);
  }
  std::printf("\n10,000 tasks that wait 10 ms and compute 100 us, two workers, in %% of the computation alone:\n");
  play({{"heist", [&] { return many_that_wait(two); }, "%", 105}}, std::min(o.rounds, 3));
}
