// What does a node of a task graph cost, and an edge? Graphs of a million nodes that do next to nothing.

#include <bench/graph/contestants.hpp>

#include <malloc.h>

#include <random>

namespace {

using namespace graph_bench;
using bench::series;
using bench::text;

shape chain(std::uint32_t n) {
  shape s{"a chain", n, {}};
  for (std::uint32_t i = 1; i < n; ++i) s.edges.emplace_back(i - 1, i);
  return s;
}

// `width` nodes a layer, and five edges to each node from random ones of the layer before.
shape layered(std::uint32_t n, std::uint32_t width) {
  shape s{"random layers", n, {}};
  std::mt19937 random(19);
  for (std::uint32_t i = width; i < n; ++i)
    for (int k = 0; k < 5; ++k) s.edges.emplace_back((i / width - 1) * width + random() % width, i);
  return s;
}

double bytes_in_use() {
  const auto m = ::mallinfo2();
  return static_cast<double>(m.uordblks + m.hblkhd);
}

struct figures {
  series build, first, again;
  double bytes = 0;  // of the graph, when it has run
};

// Builds the graph, runs it three times, and checks the third run.
void play(const contestant& c, const shape& s, unsigned workers, figures& into) {
  work w(s);
  const double before = bytes_in_use();
  std::unique_ptr<built> graph;
  into.build.add(bench::ns_of([&] { graph = c.build(s, w, workers); }));
  into.first.add(bench::ns_of([&] { graph->run(); }));
  into.again.add(bench::ns_of([&] { graph->run(); }));
  into.bytes = bytes_in_use() - before;
  w.begin(true);
  graph->run();
  bench::expect(w.complete(3), c.name);
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv, 5);
  bench::introduce("graph", o);
  const std::vector<const contestant*> all{&serial, &heist_graph, &tbb_flow,
#if defined(BENCH_TASKFLOW)
                                           &taskflow
#endif
  };
#if !defined(BENCH_TASKFLOW)
  std::printf("without Taskflow, which was not found (Debian has it as libtaskflow-cpp-dev, but not in every release)\n\n");
#endif
  constexpr std::uint32_t n = 1'000'000;
  for (const shape& s : {chain(n), layered(n, 1'000)}) {
    for (const unsigned workers : {1u, 2u}) {
      std::vector<figures> got(all.size());
      bench::contest c;
      for (std::size_t i = 0; i < all.size(); ++i)
        c.add([&, i] {
          play(*all[i], s, workers, got[i]);
          return 0.0;
        });
      c.play(o.rounds);
      std::printf("%s: %u nodes, %zu edges, %u worker%s\n\n", s.name, s.nodes, s.edges.size(), workers,
                  workers == 1 ? "" : "s");
      bench::table t({"ns a node: medians", "build", "first run", "another run", "× heist", "bytes a node, with its edges"});
      auto ns = [&](const series& x) { return x.median() / s.nodes; };
      for (std::size_t i = 0; i < all.size(); ++i)
        t.add({all[i]->name, text("%.0f", ns(got[i].build)), text("%.0f", ns(got[i].first)), text("%.1f", ns(got[i].again)),
               text("%.2f", bench::ratio(got[i].again, got[1].again).median()), text("%.0f", got[i].bytes / s.nodes)});
      t.print();
      for (std::size_t i = 2; i < all.size(); ++i) {
        const double part = bench::ratio(got[1].again, got[i].again).median();
        std::printf("target: at most half the time of %s: %.2f, %s\n", all[i]->name, part, bench::verdict(part, 0.5).c_str());
      }
      const double most = 64.0 * s.nodes + 8.0 * static_cast<double>(s.edges.size());
      std::printf("target: at most 64 bytes a node and 8 an edge, besides functions and names: %.1f MB, at most %.1f: %s\n",
                  got[1].bytes / 1e6, most / 1e6, bench::verdict(got[1].bytes, most).c_str());
      std::printf("\n");
    }
  }
}
