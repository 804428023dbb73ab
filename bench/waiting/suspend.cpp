// What only heist has: suspend and resume; blocking.

#include <bench/waiting/contestant.hpp>

#include <heist/heist.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace waiting;

double at_once(long n) {
  return bench::ns_of([n] {
    for (long i = 0; i < n; ++i) heist::suspend([](heist::resumption r) { r.resume(); });
  });
}

// Two strands that resume each other: a suspend and a resume each time.
double in_turns(long n) {
  std::mutex lock;
  heist::resumption other;
  const auto hand_on = [&](heist::resumption mine) {
    heist::resumption next;
    {
      const std::lock_guard hold(lock);
      next = std::move(other);
      other = std::move(mine);
    }
    if (next) next.resume();
  };
  const auto player = [&] {
    for (long i = 0; i < n / 2; ++i) heist::suspend([&](heist::resumption r) { hand_on(std::move(r)); });
    hand_on({});
  };
  return bench::ns_of([&] { heist::join(player, player); });
}

// From the call of resume() by another thread to the strand's next instruction, while a worker searches: the median.
double from_outside(long n) {
  std::vector<double> took;
  std::atomic<heist::resumption*> there{nullptr};
  std::atomic<double> called{0};
  std::thread caller([&] {
    for (long i = 0; i < n; ++i) {
      heist::resumption* r;
      while ((r = there.exchange(nullptr)) == nullptr) {
      }
      for (const double start = bench::now_ns(); bench::now_ns() - start < 5'000;) {  // the worker searches for 50 µs
      }
      heist::resumption mine = std::move(*r);
      called = bench::now_ns();
      mine.resume();
    }
  });
  for (long i = 0; i < n; ++i) {
    heist::resumption kept;
    heist::suspend([&](heist::resumption r) {
      kept = std::move(r);
      there = &kept;
    });
    took.push_back(bench::now_ns() - called);
  }
  caller.join();
  std::sort(took.begin(), took.end());
  return took[took.size() / 2] * static_cast<double>(n);
}

[[gnu::noinline]] void nothing() noexcept { asm volatile(""); }

double blocking(long n) {
  return bench::ns_of([n] {
    for (long i = 0; i < n; ++i) heist::blocking(nothing);
  });
}
double called(long n) {
  return bench::ns_of([n] {
    for (long i = 0; i < n; ++i) nothing();
  });
}

// What the process has in memory, its page tables included.
double resident_kib() {
  std::ifstream status("/proc/self/status");
  double sum = 0;
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:") || line.starts_with("VmPTE:")) sum += std::strtod(line.c_str() + 6, nullptr);
  return sum;
}

// n children of a scope that all wait at once, on small frames: KiB for each of them, how many waited, and how many did so on
// their threads. `before` is what the process had without them: stacks of an earlier turn may still be there.
figures all_wait(heist::pool& pool, long n, double before) {
  std::vector<heist::resumption> there;
  there.reserve(static_cast<std::size_t>(n));
  std::mutex lock;
  pool.detach([&] {
    heist::with_scope([&](heist::scope& s) {
      for (long i = 0; i < n; ++i)
        s.spawn([&] {
          heist::suspend([&](heist::resumption r) {
            const std::lock_guard hold(lock);
            there.push_back(std::move(r));
          });
        });
    });
  });
  const auto all_are_there = [&] {
    const std::lock_guard hold(lock);
    return there.size() == static_cast<std::size_t>(n);
  };
  while (!all_are_there() || pool.stats().waiting < static_cast<std::size_t>(n)) std::this_thread::yield();
  const double each = (resident_kib() - before) / static_cast<double>(n);
  const auto most = static_cast<double>(pool.stats().waiting_peak);
  const auto blocked = static_cast<double>(pool.stats().stackless);
  for (heist::resumption& r : there) r.resume();
  pool.wait_idle();
  return {each, most, blocked, 0};
}

}  // namespace

int main(int argc, char** argv) {
  heist::pool pool({.workers = workers(argc, argv)});
  const double without = resident_kib();
  // On a worker, not on the caller's thread.
  const auto with = [&](double (*f)(long)) {
    return [&pool, f](arguments& a) -> figures {
      double found = 0;
      pool.detach([&, n = a.next()] { found = f(n); });
      pool.wait_idle();
      return {found, 0};
    };
  };
  answer({{"at_once", with(at_once)},
          {"in_turns", with(in_turns)},
          {"from_outside", with(from_outside)},
          {"blocking", with(blocking)},
          {"called", with(called)},
          {"many", [&](arguments& a) { return all_wait(pool, a.next(), without); }}});
}
