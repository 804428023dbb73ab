#include <bench/graph/contestants.hpp>

#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <deque>
#include <optional>

namespace graph_bench {

namespace {

using node = tbb::flow::continue_node<tbb::flow::continue_msg>;

class in_tbb : public built {
 public:
  in_tbb(const shape& s, work& w, unsigned workers)
      : limit_(tbb::global_control::max_allowed_parallelism, workers), arena_(static_cast<int>(workers)) {
    arena_.execute([&] {
      graph_.emplace();  // it remembers the arena
      for (std::uint32_t i = 0; i < s.nodes; ++i)
        nodes_.emplace_back(*graph_, [&w, i](const tbb::flow::continue_msg&) { w.visit(i); });
      std::vector<bool> preceded(s.nodes);
      for (const auto& [from, to] : s.edges) {
        tbb::flow::make_edge(nodes_[from], nodes_[to]);
        preceded[to] = true;
      }
      for (std::uint32_t i = 0; i < s.nodes; ++i)
        if (!preceded[i]) roots_.push_back(&nodes_[i]);
    });
  }
  void run() override {
    arena_.execute([&] {
      for (node* const r : roots_) r->try_put(tbb::flow::continue_msg());
      graph_->wait_for_all();
    });
  }

 private:
  tbb::global_control limit_;
  tbb::task_arena arena_;
  std::optional<tbb::flow::graph> graph_;
  std::deque<node> nodes_;
  std::vector<node*> roots_;
};

}  // namespace

constinit const contestant tbb_flow{"oneTBB flow graph",
                                    [](const shape& s, work& w, unsigned workers) -> std::unique_ptr<built> {
                                      return std::make_unique<in_tbb>(s, w, workers);
                                    }};

}  // namespace graph_bench
