// A program to be traced. It prints, as JSON, what its pools counted; the trace must say the same.
//   traced          joins, scopes, callers from outside, two pools of which one ends, regions
//   traced nothing  does not use heist
//   traced exit     ends by exit() in a branch while other workers are busy
//   traced pools N  makes N pools, one after the other
//   traced waits    strands that wait, each for something else
//   traced loop     runs loops, a fold, a scan and a filter, whose elements take some time
//   traced search   searches, and stops early
//   traced workers  forks more often if there are several workers
//   traced fork     has a child process that uses heist, too; the parent writes nothing

#include <heist/base/sanitizer.hpp>
#include <heist/heist.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

long fib(int n) {
  if (n < 2) return n;
  if (n == 12) std::this_thread::yield();
  auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

void work() {
  fib(18);
  const heist::region r{"scope"};
  heist::scope s;
  for (int i = 0; i < 50; ++i) s.spawn([i] { fib(i % 7 + 8); });
  for (int i = 0; i < 50; ++i) s.spawn_later([i] { fib(i % 7 + 8); });
}

struct sums {
  std::size_t steals = 0, suspends = 0, resumes = 0;
  void add(const heist::pool& p) {
    const heist::statistics s = p.stats();
    steals += s.steals, suspends += s.suspends, resumes += s.resumes;
  }
};

void all() {
  sums counted;
  {
    const heist::region r{"outside"};
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i)
      callers.emplace_back([] {
        for (int round = 0; round < 10; ++round) heist::default_pool().run(work);
      });
    for (std::thread& t : callers) t.join();
  }
  {
    heist::scope s;
    for (int i = 0; i < 20; ++i) s.spawn([] { fib(14); });
  }
  counted.add(heist::default_pool());
  heist::pool own({.workers = 3});
  own.run([] {
    const heist::region r{"own pool"};
    fib(20);
  });
  counted.add(own);
  std::printf("{\"steals\": %zu, \"suspends\": %zu, \"resumes\": %zu}\n", counted.steals, counted.suspends,
              counted.resumes);
}

// Nobody brings what they wait for before they have left their workers.
void waits() {
  using namespace std::chrono_literals;
  heist::mutex m;
  heist::latch two(2);
  heist::channel<int> c(0);
  heist::promise<int> p;
  heist::future<int> f = p.get_future();
  heist::resumption r;
  heist::pool own({.workers = 2});
  own.run([&] {
    heist::scope s;
    m.lock();
    s.spawn([&] { m.lock(), m.unlock(); });
    s.spawn([&] { two.arrive_and_wait(); });
    s.spawn([&] { static_cast<void>(c.pop()); });
    s.spawn([&] { static_cast<void>(f.get()); });
    s.spawn([&] { heist::suspend([&](heist::resumption mine) { r = std::move(mine); }); });
    do heist::sleep_for(5ms);
    while (own.stats().waiting < 5);
    m.unlock();
    two.count_down();
    c.push(1);
    p.set_value(1);
    r.resume();
    s.sync();
  });
}

// Unlike the elements before it.
long some_work(long x) {
  for (long i = x % 97 * 4; i > 0; --i) x ^= x << 7 ^ i;
  return x;
}

void loops() {
  std::vector<long> v(20'000), w(v.size());
  std::iota(v.begin(), v.end(), 1);
  heist::for_each(v, [](long& x) { x = some_work(x); });
  heist::for_each_index(0, 40, [&](int i) {
    heist::for_each_index(0, 100, [&, i](int k) { w[static_cast<std::size_t>(100 * i + k)] = some_work(i + k); });
  });
  heist::for_each(v, [](long& x) { x = some_work(x) + fib(2); }, heist::limit{3});
  std::printf("%ld\n", heist::transform_reduce(v, 0L, std::plus<>(), [](long x) { return some_work(x) % 2; }));
  heist::inclusive_scan(v, w.begin(), [](long a, long b) { return some_work(a % 1000) + b % 1000; });
  std::printf("%td\n", heist::copy_if(v, w.begin(), [](long x) { return some_work(x) % 3 == 0; }).out - w.begin());
}

void search() {
  std::vector<long> v(50'000);
  std::iota(v.begin(), v.end(), 1);
  std::printf("%td\n", heist::find_if(v, [](long x) { return some_work(x) != 0 && x == 30'000; }) - v.begin());
}

void long_work() {
  volatile long sum = 0;
  for (long i = 0; i < 20'000; ++i) sum = sum + some_work(i);
}

// A computation without any parallelism, though it looks like children of one scope, and one with: children of branches
// and of children, and futures.
void serial_children() {
  heist::default_pool().run([] {
    heist::scope s;
    const auto next = [&s](auto self, int left) -> void {
      long_work();
      if (left % 2 == 1) s.spawn([self, left] { self(self, left - 1); });
      if (left % 2 == 0 && left > 0) s.spawn_later([self, left] { self(self, left - 1); });
    };
    s.spawn([next] { next(next, 10); });
    s.sync();
  });
}

void parallel_children() {
  heist::default_pool().run([] {
    const auto work = [] { long_work(); };
    heist::future<void> first = heist::async(work), second = heist::async(work), third;
    heist::scope s;
    heist::join([&] { s.spawn(work), third = heist::async(work); }, [&] { s.spawn_later(work); });
    s.spawn([&] { s.spawn(work), s.spawn_later(work), work(); });
    first.get(), second.get(), third.get();
    heist::when_all(heist::async(work), heist::async(work)).get();
    s.sync();
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "nothing") return 0;
  if (what == "exit")
    heist::join([] { fib(30); }, [] { fib(12), std::exit(3); });
  else if (what == "pools")
    for (int i = 0; i < std::atoi(argv[2]); ++i) heist::pool({.workers = 2}).run([] { fib(10); });
  else if (what == "waits")
    waits();
  else if (what == "loop")
    loops();
  else if (what == "search")
    search();
  else if (what == "serial children")
    serial_children();
  else if (what == "parallel children")
    parallel_children();
  else if (what == "workers")
    fib(heist::default_pool().workers() > 1 ? 5 : 4);
  else if (what == "fork") {
    fib(16);
    const pid_t child = ::fork();
    if (child == 0) {
#if !defined(HEIST_TSAN)  // it does not allow a child to have threads
      fib(17);
#endif
      std::exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  } else
    all();
}
