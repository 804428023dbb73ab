#include <examples/tree_search.hpp>

#include <cstdio>

int main() {
  // A strand may be thousands of calls deep. Stacks are committed as they are touched: large ones cost nothing.
  heist::pool deep({.workers = heist::default_pool().workers(), .stack_size = std::size_t{64} << 20});
  const long nodes = deep.run([] { return examples::tree_search(examples::small_tree, examples::small_tree.root); });
  std::printf("the tree has %ld nodes\n", nodes);
  return nodes == examples::small_tree_nodes ? 0 : 1;
}
