#include <bench/graph/contestants.hpp>

#include <heist/heist.hpp>

namespace graph_bench {

namespace {

class in_heist : public built {
 public:
  in_heist(const shape& s, work& w, unsigned workers) : pool_({.workers = workers}) {
    std::vector<heist::graph::handle> nodes(s.nodes);
    for (std::uint32_t i = 0; i < s.nodes; ++i) nodes[i] = graph_.node([&w, i] { w.visit(i); });
    for (const auto& [from, to] : s.edges) graph_.precede(nodes[from], nodes[to]);
  }
  void run() override {
    pool_.run([&] { graph_.run(); });
  }

 private:
  heist::pool pool_;
  heist::graph graph_;
};

}  // namespace

constinit const contestant heist_graph{"heist::graph",
                                       [](const shape& s, work& w, unsigned workers) -> std::unique_ptr<built> {
                                         return std::make_unique<in_heist>(s, w, workers);
                                       }};

}  // namespace graph_bench
