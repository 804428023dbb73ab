#pragma once
// The classic programs, each twice: as a serial program, and with forks where the parallel one has them.

#include <heist/base/random.hpp>
#include <heist/heist.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace programs {

inline std::uint64_t hash(std::uint64_t x) { return heist::detail::mix(x); }

// Small inputs end before a thief has come. If asked to, some leaves of a program let others run.
inline std::atomic<bool> dawdling{false};
inline void dawdle(std::uint64_t leaf) {
  if (dawdling.load(std::memory_order_relaxed) && hash(leaf) % 32 == 0) std::this_thread::yield();
}

// Fibonacci: a fork for every addition -------------------------------------------------------------------------------

inline long fib_serial(int n) { return n < 2 ? n : fib_serial(n - 1) + fib_serial(n - 2); }

inline long fib(int n, std::uint64_t name = 1) {
  if (n < 2) {
    dawdle(name);
    return n;
  }
  const auto [a, b] = heist::join([=] { return fib(n - 1, 2 * name); }, [=] { return fib(n - 2, 2 * name + 1); });
  return a + b;
}

// Queens: the solutions on an n × n board, in lexicographic order ------------------------------------------------------

// The columns of the queens in rows 0 … row-1.
struct board {
  int size = 0;
  int row = 0;
  std::array<signed char, 16> column{};

  bool allows(int c) const {
    for (int r = 0; r < row; ++r) {
      const int there = column[static_cast<std::size_t>(r)];
      if (there == c || there - c == row - r || c - there == row - r) return false;
    }
    return true;
  }
  board with(int c) const {
    board b = *this;
    b.column[static_cast<std::size_t>(b.row++)] = static_cast<signed char>(c);
    return b;
  }
  friend bool operator==(const board&, const board&) = default;
};

using boards = std::vector<board>;

inline void queens_serial(const board& b, boards& found) {
  if (b.row == b.size) return found.push_back(b);
  for (int c = 0; c < b.size; ++c)
    if (b.allows(c)) queens_serial(b.with(c), found);
}

inline boards queens(const board& b, int first, int last) {
  if (b.row == b.size) return {b};
  if (last - first == 1) dawdle(static_cast<std::uint64_t>(first * b.size + b.row));
  if (last - first == 1) return b.allows(first) ? queens(b.with(first), 0, b.size) : boards{};
  const int middle = first + (last - first) / 2;
  // Small closures and results that own memory.
  auto [left, right] = heist::join([=, &b] { return queens(b, first, middle); }, [=, &b] { return queens(b, middle, last); });
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

// Unbalanced tree search: whether a node has children is a hash's whim (after Olivier et al., UTS, binomial trees) --------

struct tree_figures {
  std::uint64_t nodes = 0;
  std::uint64_t deepest = 0;
  std::uint64_t digest = 0;  // depends on every node and on the order of its children

  void add_child(const tree_figures& c) {
    nodes += c.nodes;
    deepest = std::max(deepest, c.deepest);
    digest = digest * 0x100000001B3ull ^ c.digest;
  }
  friend bool operator==(const tree_figures&, const tree_figures&) = default;
};

struct tree_node {
  std::uint64_t name;
  std::uint64_t depth;

  static constexpr unsigned root_children = 40;
  static constexpr unsigned most_children = 4;

  // 0.23 × 4 < 1: the expected number of nodes under the root is 40 / 0.08 = 500, its variance large.
  unsigned children() const { return depth == 0 ? root_children : hash(name) % 100 < 23 ? most_children : 0; }
  tree_node child(unsigned i) const { return {hash(name ^ (i + 1)), depth + 1}; }
  tree_figures alone() const { return {1, depth, name}; }
};

inline tree_figures search_serial(const tree_node& n) {
  tree_figures sum = n.alone();
  for (unsigned i = 0; i < n.children(); ++i) sum.add_child(search_serial(n.child(i)));
  return sum;
}

inline tree_figures search(const tree_node& n) {
  dawdle(n.name);
  std::array<tree_figures, tree_node::root_children> found;
  {
    heist::scope s;
    for (unsigned i = 0; i < n.children(); ++i) s.spawn([=, &found] { found[i] = search(n.child(i)); });
  }
  tree_figures sum = n.alone();
  for (unsigned i = 0; i < n.children(); ++i) sum.add_child(found[i]);
  return sum;
}

// Matrix product: eight products of quarters, in two rounds of four -----------------------------------------------------

// A square view into a matrix of rows of `stride`.
template <class T>
struct square {
  T* at;
  std::size_t size;
  std::size_t stride;

  T& operator()(std::size_t row, std::size_t column) const { return at[row * stride + column]; }
  square quarter(std::size_t row, std::size_t column) const {
    return {at + row * (size / 2) * stride + column * (size / 2), size / 2, stride};
  }
};

inline void add_product_serial(square<double> c, square<const double> a, square<const double> b) {
  if (c.size == 1) {
    c(0, 0) += a(0, 0) * b(0, 0);
    return;
  }
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) add_product_serial(c.quarter(i, j), a.quarter(i, k), b.quarter(k, j));
}

// The same additions in the same order for every element: the same bits.
inline void add_product(square<double> c, square<const double> a, square<const double> b) {
  if (c.size == 1) {
    dawdle(static_cast<std::uint64_t>(b.at - a.at));
    return add_product_serial(c, a, b);
  }
  for (std::size_t k = 0; k < 2; ++k) {
    auto part = [=](std::size_t i, std::size_t j) {
      return [=] { add_product(c.quarter(i, j), a.quarter(i, k), b.quarter(k, j)); };
    };
    heist::join(part(0, 0), part(0, 1), part(1, 0), part(1, 1));
  }
}

// Loops: a child for every index --------------------------------------------------------------------------------------

inline std::uint64_t tiny(std::size_t i) { return hash(i); }

inline void visit(std::size_t i, std::vector<std::uint64_t>& v) {
  dawdle(i);
  v[i] += tiny(i);  // twice is wrong, too
}

inline std::vector<std::uint64_t> loop_serial(std::size_t n) {
  std::vector<std::uint64_t> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = tiny(i);
  return v;
}

inline std::vector<std::uint64_t> spawn_loop(std::size_t n) {
  std::vector<std::uint64_t> v(n);
  heist::scope s;
  for (std::size_t i = 0; i < n; ++i) s.spawn([i, &v] { visit(i, v); });
  s.sync();
  return v;
}

inline std::vector<std::uint64_t> spawn_later_loop(std::size_t n) {
  std::vector<std::uint64_t> v(n);
  heist::scope s;
  for (std::size_t i = 0; i < n; ++i) s.spawn_later([i, &v] { visit(i, v); });
  s.sync();
  return v;
}

inline std::vector<std::uint64_t> counted_loop(std::size_t n) {
  std::vector<std::uint64_t> v(n);
  heist::for_each_index(std::size_t{0}, n, [&v](std::size_t i) { visit(i, v); }, heist::grain{3});
  return v;
}

}  // namespace programs
