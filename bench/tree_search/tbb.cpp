#include <bench/runtimes/tbb.hpp>
#include <bench/tree_search/tree.hpp>

#include <numeric>
#include <vector>

using tree_search::node;
using tree_search::tree;

static long count(const tree& t, const node& n) {
  const std::uint32_t children = t.children(n);
  if (children == 0) return 1;
  std::vector<long> found(children);
  tbb::task_group g;
  for (std::uint32_t i = 0; i < children; ++i)
    g.run([&t, child = t.child(n, i), &to = found[i]] { to = count(t, child); });
  g.wait();
  return std::accumulate(found.begin(), found.end(), 1L);
}

int main(int argc, char** argv) {
  return bench::contestant(argc, argv, [](auto& runtime, const bench::task& t) {
    const tree all = tree::of(t.kind, t.size);
    return runtime.enter([&] { return count(all, tree::root()); });
  });
}
