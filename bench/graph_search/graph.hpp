#pragma once
// Breadth-first search in a random graph, eight edges a vertex: level by level, the frontier by halves, 64 vertices
// without a fork. The strand that first marks a vertex puts it into the next frontier; the distances are the same
// whichever it was.

#include <examples/tree_search.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace graph_search {

using vertex = std::uint32_t;

constexpr std::size_t degree = 8, leaf = 64;
constexpr std::uint32_t far = ~0u;

struct input {
  explicit input(long size) : n(static_cast<std::size_t>(size)), edges(n * degree), distance(n), frontier(n), next(n) {
    for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = static_cast<vertex>(examples::tree_hash(i + 1) % n);
  }
  void reset() {
    for (auto& d : distance) d.store(far, std::memory_order_relaxed);
  }
  double result() const {
    double sum = 0;
    for (const auto& d : distance)
      if (const std::uint32_t x = d.load(std::memory_order_relaxed); x != far) sum += x;
    return sum;
  }

  std::size_t n;
  std::vector<vertex> edges;
  std::vector<std::atomic<std::uint32_t>> distance;
  std::vector<vertex> frontier, next;
  std::atomic<std::size_t> found{0};
};

// The vertices [first, last) of the frontier, which are `depth` - 1 from the start.
template <class Runtime>
void visit(input& g, std::size_t first, std::size_t last, std::uint32_t depth) {
  if (last - first > leaf) {
    const std::size_t middle = first + (last - first) / 2;
    Runtime::both([&g, first, middle, depth] { visit<Runtime>(g, first, middle, depth); },
                  [&g, middle, last, depth] { visit<Runtime>(g, middle, last, depth); });
    return;
  }
  vertex mine[leaf * degree];
  std::size_t count = 0;
  for (std::size_t i = first; i < last; ++i)
    for (std::size_t e = 0; e < degree; ++e) {
      const vertex v = g.edges[g.frontier[i] * degree + e];
      std::uint32_t seen = g.distance[v].load(std::memory_order_relaxed);
      if (seen == far && g.distance[v].compare_exchange_strong(seen, depth, std::memory_order_relaxed))
        mine[count++] = v;
    }
  const std::size_t at = g.found.fetch_add(count, std::memory_order_relaxed);
  for (std::size_t i = 0; i < count; ++i) g.next[at + i] = mine[i];
}

template <class Runtime>
void search(input& g) {
  g.distance[0].store(0, std::memory_order_relaxed);
  g.frontier[0] = 0;
  std::size_t size = 1;
  for (std::uint32_t depth = 1; size > 0; ++depth) {
    g.found.store(0, std::memory_order_relaxed);
    visit<Runtime>(g, 0, size, depth);
    size = g.found.load(std::memory_order_relaxed);
    g.frontier.swap(g.next);
  }
}

}  // namespace graph_search
