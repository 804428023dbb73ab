#include <examples/tree_search.hpp>

#include <cstdio>

int main() {
  const long nodes = examples::tree_search(examples::small_tree, examples::small_tree.root);
  std::printf("the tree has %ld nodes\n", nodes);
  return nodes == examples::small_tree_nodes ? 0 : 1;
}
