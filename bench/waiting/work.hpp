#pragma once
// What the contestants compute: the same in every language, and the same result.

#include <bench/common/bench.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace waiting {

using word = std::uint64_t;

// `steps` steps, each of which needs the one before. So no compiler makes it faster than another.
inline word chain(word x, long steps) {
  for (long i = 0; i < steps; ++i) x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
  return x;
}

// `all(f)` calls f on several strands, fibers or threads; each wants the lock n times, for that many steps. How often they
// had it.
template <class Mutex, class All>
long sections(long n, long steps, All&& all) {
  Mutex m;
  word x = 1;
  long count = 0;
  all([&](long) {
    for (long i = 0; i < n; ++i) {
      const std::lock_guard hold(m);
      x = chain(x, steps);
      ++count;
    }
  });
  bench::opaque(x);
  return count;
}

// What many tasks found, in any order.
class findings {
 public:
  void add(word x) { sum_.fetch_add(x, std::memory_order_relaxed); }
  std::uint32_t sum() const { return static_cast<std::uint32_t>(sum_.load()); }  // exact as a double

 private:
  std::atomic<word> sum_{0};
};

// The sum of `leaves` chains, a power of two, by halves. both(f, g) calls both, perhaps at the same time.
template <class Both>
word tree(word seed, long leaves, long steps, const Both& both) {
  if (leaves == 1) return chain(seed, steps);
  word left = 0, right = 0;
  both([&] { left = tree(seed, leaves / 2, steps, both); },
       [&] { right = tree(seed + static_cast<word>(leaves) / 2, leaves / 2, steps, both); });
  return left + right;
}

using numbers = std::span<std::uint32_t>;

// Splits into [0, n) and [n, size), neither empty, by the middle one of three.
inline std::size_t partition(numbers a) {
  const std::uint32_t x = a.front(), y = a[a.size() / 2], z = a.back();
  const std::uint32_t pivot = std::max(std::min(x, y), std::min(std::max(x, y), z));
  for (std::size_t i = 0, j = a.size() - 1;; ++i, --j) {
    while (a[i] < pivot) ++i;
    while (pivot < a[j]) --j;
    if (i >= j) return std::max<std::size_t>(i, 1);
    std::swap(a[i], a[j]);
  }
}

inline void insertion_sort(numbers a) {
  for (std::size_t i = 1; i < a.size(); ++i) {
    const std::uint32_t x = a[i];
    std::size_t j = i;
    for (; j > 0 && x < a[j - 1]; --j) a[j] = a[j - 1];
    a[j] = x;
  }
}

// No runtime forks for less: 512 numbers take about 15 µs.
constexpr std::size_t fewest_to_fork = 512;

template <class Both>
void quicksort(numbers a, const Both& both) {
  if (a.size() <= 16) return insertion_sort(a);
  const std::size_t n = partition(a);
  const auto left = [=, &both] { quicksort(a.first(n), both); };
  const auto right = [=, &both] { quicksort(a.subspan(n), both); };
  if (a.size() < fewest_to_fork) {
    left();
    right();
  } else {
    both(left, right);
  }
}

// Makes `size` numbers, sorts them, and returns a digest of the outcome.
template <class Both>
word sort_some(word seed, std::size_t size, const Both& both) {
  std::vector<std::uint32_t> all(size);
  word x = seed;
  for (std::uint32_t& a : all) a = static_cast<std::uint32_t>((x = chain(x + 1, 1)) >> 32);
  quicksort(all, both);
  word digest = 0;
  for (const std::uint32_t a : all) digest = digest * 31 + a;
  return digest;
}

inline word hash(std::span<const std::byte> bytes) {
  word h = 0xcbf29ce484222325;
  for (const std::byte b : bytes) h = (h ^ static_cast<word>(b)) * 0x100000001b3;
  return h;
}

}  // namespace waiting
