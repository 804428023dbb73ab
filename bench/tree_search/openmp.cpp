#include <bench/runtimes/openmp.hpp>
#include <bench/tree_search/tree.hpp>

#include <numeric>
#include <vector>

using tree_search::node;
using tree_search::tree;

static long count(const tree& t, const node& n) {
  const std::uint32_t children = t.children(n);
  if (children == 0) return 1;
  std::vector<long> found(children);
  for (std::uint32_t i = 0; i < children; ++i) {
    const node child = t.child(n, i);
    long& to = found[i];
#pragma omp task firstprivate(child) shared(t, to)
    to = count(t, child);
  }
#pragma omp taskwait
  return std::accumulate(found.begin(), found.end(), 1L);
}

int main(int argc, char** argv) {
  return bench::contestant(argc, argv, [](auto& runtime, const bench::task& t) {
    const tree all = tree::of(t.kind, t.size);
    return runtime.enter([&] { return count(all, tree::root()); });
  });
}
