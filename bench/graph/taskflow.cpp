#include <bench/graph/contestants.hpp>

#include <taskflow/taskflow.hpp>

namespace graph_bench {

namespace {

class in_taskflow : public built {
 public:
  in_taskflow(const shape& s, work& w, unsigned workers) : executor_(workers) {
    std::vector<tf::Task> nodes(s.nodes);
    for (std::uint32_t i = 0; i < s.nodes; ++i) nodes[i] = flow_.emplace([&w, i] { w.visit(i); });
    for (const auto& [from, to] : s.edges) nodes[from].precede(nodes[to]);
  }
  void run() override { executor_.run(flow_).wait(); }

 private:
  tf::Executor executor_;
  tf::Taskflow flow_;
};

}  // namespace

constinit const contestant taskflow{"Taskflow",
                                    [](const shape& s, work& w, unsigned workers) -> std::unique_ptr<built> {
                                      return std::make_unique<in_taskflow>(s, w, workers);
                                    }};

}  // namespace graph_bench
