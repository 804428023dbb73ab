// A thousand million forks, and memory that does not grow: deep recursions, flat loops, counted loops and spawns, again
// and again in the same two pools, with the resident memory looked at after each round.

#include "harness.hpp"

#include "tests/space/memory.hpp"

#include <heist/heist.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

namespace {

using stress::fail;

constexpr int scaled(int n) { return n / stress::slower; }

std::uint64_t fib_serial(int n) {
  std::uint64_t a = 0, b = 1;
  for (; n > 0; --n) a = std::exchange(b, a + b);
  return a;
}

std::uint64_t fib(int n) {
  if (n < 2) return static_cast<std::uint64_t>(n);
  const auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

// Each returns how many forks it made.

std::uint64_t deep(heist::pool& pool) {
  const int n = stress::slower == 1 ? 33 : 28;
  if (pool.run([=] { return fib(n); }) != fib_serial(n)) fail("fib(%d) is wrong", n);
  return fib_serial(n + 1) - 1;
}

std::uint64_t flat(heist::pool& pool) {
  const std::uint64_t n = scaled(2'000'000);
  const std::uint64_t sum = pool.run([=] {
    std::uint64_t both = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto [a, b] = heist::join([=] { return i; }, [=] { return i + 1; });
      both += a + b;
    }
    return both;
  });
  if (sum != n * n) fail("a flat loop of joins is wrong");
  return n;
}

std::uint64_t counted(heist::pool& pool) {
  const int n = scaled(1'000'000);
  std::atomic<int> marks{0};
  pool.run([&] {
    heist::for_each_index(
        0, n,
        [&](int i) {
          if (i % 1024 == 0) marks.fetch_add(1, std::memory_order_relaxed);
        },
        heist::grain{1});
  });
  if (marks != (n + 1023) / 1024) fail("a counted loop is wrong");
  return static_cast<std::uint64_t>(n) - 1;
}

std::uint64_t spawned(heist::pool& pool) {
  const int n = scaled(50'000);
  std::atomic<int> ran{0};
  pool.run([&] {
    heist::scope s;
    for (int i = 0; i < n; ++i)
      if (i % 2 == 0)
        s.spawn([&] { ran.fetch_add(1, std::memory_order_relaxed); });
      else
        s.spawn_later([&] { ran.fetch_add(1, std::memory_order_relaxed); });
  });
  if (ran != n) fail("%d of %d children ran", ran.load(), n);
  return static_cast<std::uint64_t>(n);
}

// What is resident after a round may rise until everything has been touched once, and then no more.
class memory_watch {
 public:
  void look(stress::session& s) {
    ++looks_;
    const std::size_t now = resident_bytes();
    if (looks_ <= warming) warm_ = std::max(warm_, now);
    most_ = std::max(most_, now);
    s.most("KiB resident", most_ / KiB);
    if (!stress::sanitized && now > warm_ + slack)
      fail("after %d rounds %zu KiB are resident; after %d it was %zu at most", looks_, now / KiB, warming,
           warm_ / KiB);
  }

 private:
  static constexpr int warming = 6;
  static constexpr std::size_t slack = 2 * MiB;
  int looks_ = 0;
  std::size_t warm_ = 0, most_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  stress::session s("stress_forks", argc, argv, {1.5, 10});
  heist::pool usual, eight({.workers = 8});
  memory_watch memory;
  while (s.more()) {
    heist::pool& pool = s.seed() % 4 == 0 ? eight : usual;
    stress::doing("a deep recursion began");
    std::uint64_t forks = deep(pool);
    stress::doing("a flat loop began");
    forks += flat(pool);
    stress::doing("a counted loop began");
    forks += counted(pool);
    stress::doing("a loop of spawns began");
    forks += spawned(pool);
    s.count("forks", forks);
    memory.look(s);
  }
  s.count("steals", usual.stats().steals + eight.stats().steals);
  return s.end();
}
