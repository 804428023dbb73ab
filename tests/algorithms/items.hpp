#pragma once
// What the tests of sorting and filtering share: elements that know where they came from, and inputs with a shape.

#include "tests/algorithms/support.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace heist_test {

struct item {
  int key;
  int place;  // where it was
  friend bool operator==(const item&, const item&) = default;
};

enum class shape { random, few, equal, sorted, reversed, organ_pipe, nearly_sorted, saw };
inline constexpr shape every_shape[] = {shape::random,   shape::few,        shape::equal,         shape::sorted,
                                        shape::reversed, shape::organ_pipe, shape::nearly_sorted, shape::saw};

inline std::vector<item> items(std::size_t n, shape s, unsigned seed = 1) {
  std::mt19937_64 dice(seed + n);
  std::vector<item> v(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t key = 0;
    switch (s) {
      case shape::random: key = dice() >> 33; break;
      case shape::few: key = dice() % 7; break;
      case shape::equal: break;
      case shape::sorted: key = i; break;
      case shape::reversed: key = n - i; break;
      case shape::organ_pipe: key = std::min(i, n - i); break;
      case shape::nearly_sorted: key = dice() % 100 == 0 ? dice() % n : i; break;
      case shape::saw: key = i % 1000; break;
    }
    v[i] = {static_cast<int>(key), static_cast<int>(i)};
  }
  return v;
}

// Where each came from, in order: the same for every permutation of the same elements.
inline std::vector<int> places(const std::vector<item>& v) {
  std::vector<int> all;
  for (const item& i : v) all.push_back(i.place);
  std::sort(all.begin(), all.end());
  return all;
}

// Neither copyable nor default constructible, and its instances are counted; some moves throw if asked to.
class rare {
 public:
  explicit rare(int v) : value_(v) { ++live_; }
  rare(rare&& from) : value_(from.value_) {
    tire();
    from.value_ = gone;
    ++live_;
  }
  rare& operator=(rare&& from) {
    tire();
    value_ = std::exchange(from.value_, gone);
    return *this;
  }
  ~rare() { --live_; }

  int value() const noexcept { return value_; }
  static int live() noexcept { return live_.load(); }
  // The n-th move from now on throws, and some that follow it.
  static void throw_at_move(int n) noexcept { moves_left_ = n; }
  static void throw_no_more() noexcept { moves_left_ = never; }

 private:
  static constexpr int gone = -1, never = 1 << 30;
  static void tire() {
    if (moves_left_.load() != never && moves_left_.fetch_sub(1) == 1) throw failure(0);
  }

  int value_;
  static inline std::atomic<int> live_{0};
  static inline std::atomic<int> moves_left_{never};
};

inline std::vector<rare> rares(std::size_t n) {
  std::mt19937 dice(static_cast<unsigned>(n));
  std::vector<rare> v;
  v.reserve(n);
  for (std::size_t i = 0; i < n; ++i) v.emplace_back(static_cast<int>(dice() % 1000));
  return v;
}

// Throws at its n-th call; counts calls from several strands.
class tiring {
 public:
  explicit tiring(int calls) : left_(calls) {}
  void call() {
    if (left_.fetch_sub(1, std::memory_order_relaxed) == 1) throw failure(1);
  }

 private:
  std::atomic<int> left_;
};

}  // namespace heist_test
