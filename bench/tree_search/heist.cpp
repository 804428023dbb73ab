#include <bench/runtimes/heist.hpp>
#include <bench/tree_search/tree.hpp>

using tree_search::node;
using tree_search::tree;

static long count(const tree& t, const node& n);

// The children [first, last) of a node and all below them.
static long count_children(const tree& t, const node& n, std::uint32_t first, std::uint32_t last) {
  if (last - first == 1) return count(t, t.child(n, first));
  const std::uint32_t middle = first + (last - first) / 2;
  const auto [a, b] = heist::join([&, first, middle] { return count_children(t, n, first, middle); },
                                  [&, middle, last] { return count_children(t, n, middle, last); });
  return a + b;
}

static long count(const tree& t, const node& n) {
  const std::uint32_t children = t.children(n);
  return children == 0 ? 1 : 1 + count_children(t, n, 0, children);
}

int main(int argc, char** argv) {
  return bench::contestant(argc, argv, [](auto& runtime, const bench::task& t) {
    const tree all = tree::of(t.kind, t.size);
    return runtime.enter([&] { return count(all, tree::root()); });
  });
}
