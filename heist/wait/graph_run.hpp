#pragma once
// A run of a graph. Protocol: README.md, "The graph".

#include <heist/base/export.hpp>
#include <heist/sched/leavings.hpp>
#include <heist/sched/scope_books.hpp>
#include <heist/sched/wait.hpp>
#include <heist/wait/graph_books.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <stop_token>
#include <vector>

HEIST_BEGIN

namespace heist {
class HEIST_TYPE scope;
}

namespace heist::detail {

// In the frame of the strand that runs the graph.
class graph_run {
 public:
  // Any thread. Returns when all nodes have ended.
  static void in_a_pool(graph_books& g, const std::stop_token& token);
  // The thief of a node, or of a range.
  static stack* run_stolen(job& self) noexcept;

 private:
  using index = graph_books::index;

  // Successors of a node that has ended, to be told so; or nodes to begin with.
  struct range : job {
    range(graph_run& of_run, const index* from, const index* to) noexcept;
    graph_run* const of;
    const index* const first;
    const index* const last;
  };
  // A strand that runs nodes.
  struct walker {
    std::int64_t pushed = 0;   // jobs in the deque, unless stolen
    std::int64_t tickets = 0;  // that it may give to jobs
    int depth = 0;             // if the run is measured: how many walkers wait for this one to end
    std::vector<job*> kept;    // if it is measured: jobs that it runs itself
  };

  graph_run(graph_books& g, const std::stop_token& token);
  graph_run(const graph_run&) = delete;

  void run();
  void run_measured();
#if defined(HEIST_RACE)
  void run_in_order();
#endif
  static bool is_range(const job& j) noexcept;
  static graph_run& of(job& j) noexcept;
  void walk(walker& w, graph_node* first) noexcept;
  graph_node* execute(graph_node& n, walker& w) noexcept;
  graph_node* open(job& j, walker& w) noexcept;
  graph_node* begin(const index* first, const index* last, walker& w) noexcept;
  bool is_ready(index i) noexcept;
  void leave(job& j, walker& w) noexcept;
  HEIST_COLD void leave_measured(job& j, walker& w) noexcept;
  bool end(const walker& w) noexcept;
  std::exception_ptr outcome() noexcept;

  static const job::kind range_kind;
  // The nodes' number as children of books_; failures have smaller ones.
  static constexpr std::int64_t number = std::int64_t{1} << 40;
  static constexpr std::int64_t batch = 64;  // of tickets, and of successors that one strand tells

  graph_books& graph_;
  scope_books books_;       // what stops, and what has failed
  scope* measured_ = nullptr;  // the run is measured: nodes are its children
  std::atomic<std::int64_t> failed_{0};
  std::atomic<bool> halted_{false}, cut_short_{false};
  leavings left_;
  wait over_;
  alignas(64) std::atomic<std::int64_t> tickets_{1};  // of walkers, and of jobs that wait for one
};

}  // namespace heist::detail

HEIST_END
