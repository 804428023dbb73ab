#pragma once
// What the tests of the algorithms share: pools, sizes at which something changes, data, and a thief to wait for.

#include "tests/join/support.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace heist_test {

// Pools of 1, 2 and 8 workers, and outside of all: f gets the pool it runs in.
template <class F>
void in_every_pool(F&& f) {
  static heist::pool one({.workers = 1}), two({.workers = 2}), eight({.workers = 8});
  for (heist::pool* const p : {&one, &two, &eight}) {
    SCOPED_TRACE(testing::Message() << p->workers() << " workers");
    p->run([&] { f(*p); });
    if (testing::Test::HasFatalFailure()) return;
  }
  SCOPED_TRACE("outside");
  f(heist::default_pool());
}

// Around powers of two, where blocks, leaves and trees begin and end; and some in between.
inline std::vector<std::size_t> sizes(std::size_t most) {
  std::vector<std::size_t> all{0};
  for (std::size_t power = 1; power <= most; power *= slower == 1 || power < 64 ? 2 : 8)
    for (const std::size_t n : {power - 1, power, power + 1, power + power / 2, power + power / 32}) all.push_back(n);
  std::mt19937_64 dice(most);
  for (int i = 0; i < rounds(8); ++i) all.push_back(dice() % (most + 1));
  all.push_back(most);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  while (all.back() > most) all.pop_back();
  return all;
}

// A strand that waits for the first theft in a pool, so that what follows is robbed where it can be. Any number of strands
// may call it; those of a pool of one, or outside, and all after the first theft, go on at once.
class first_theft {
 public:
  explicit first_theft(heist::pool& p) : pool_(p), before_(p.stats().steals), over_(p.workers() == 1 || &p == &heist::default_pool()) {}
  void await() {
    if (over_.load(std::memory_order_relaxed)) return;
    EXPECT_TRUE(heist_test::eventually([&] { return pool_.stats().steals > before_; }));
    over_.store(true, std::memory_order_relaxed);
  }

 private:
  heist::pool& pool_;
  const std::size_t before_;
  std::atomic<bool> over_;
};

// Numbers of very different size and both signs: any other order of additions gives other bits.
inline std::vector<double> touchy(std::size_t n, unsigned seed = 1) {
  std::mt19937_64 dice(seed);
  std::vector<double> v(n);
  for (double& x : v) {
    const double sign = dice() % 2 == 0 ? 1 : -1;
    x = sign * std::ldexp(1 + static_cast<double>(dice() % 1000) / 999, static_cast<int>(dice() % 60) - 30);
  }
  return v;
}

inline std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

// An associative operation that is not commutative: composition of x → a·x + b, modulo 2^32.
struct affine {
  std::uint32_t a = 1, b = 0;
  friend affine operator*(affine f, affine g) { return {f.a * g.a, g.a * f.b + g.b}; }
  friend bool operator==(affine, affine) = default;
};
inline std::vector<affine> affines(std::size_t n) {
  std::mt19937 dice(static_cast<unsigned>(n) + 7);
  std::vector<affine> v(n);
  for (affine& f : v) f = {static_cast<std::uint32_t>(dice()) | 1u, static_cast<std::uint32_t>(dice())};
  return v;
}

// A token that has been told to stop.
inline std::stop_token stopped() {
  std::stop_source s;
  s.request_stop();
  return s.get_token();
}

}  // namespace heist_test
