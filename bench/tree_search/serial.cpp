#include <bench/runtimes/serial.hpp>
#include <bench/tree_search/tree.hpp>

using tree_search::node;
using tree_search::tree;

static long count(const tree& t, const node& n) {
  long nodes = 1;
  const std::uint32_t children = t.children(n);
  for (std::uint32_t i = 0; i < children; ++i) nodes += count(t, t.child(n, i));
  return nodes;
}

int main(int argc, char** argv) {
  return bench::contestant(argc, argv, [](auto& runtime, const bench::task& t) {
    const tree all = tree::of(t.kind, t.size);
    return runtime.enter([&] { return count(all, tree::root()); });
  });
}
