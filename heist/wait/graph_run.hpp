#pragma once
// A run of a graph. Protocol: README.md, "The graph".

#include <heist/base/export.hpp>
#include <heist/sched/leavings.hpp>
#include <heist/sched/scope_books.hpp>
#include <heist/sched/wait.hpp>
#include <heist/wait/graph_books.hpp>

#include <atomic>
#include <cstddef>
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
  class walker {
   public:
    explicit walker(graph_run& of, int depth = 0) noexcept : run_(of), depth_(depth) {}

    // From the nodes without predecessors; from a job.
    void walk_from_the_roots() noexcept { walk(begin(run_.graph_.roots_.data(), run_.graph_.roots_.size())); }
    void walk_from(job& j) noexcept { walk(open(j)); }
    // True: it was the last. Touch nothing of the run afterwards, if it is false.
    bool end() noexcept;

   private:
    void walk(graph_node* first) noexcept;
    graph_node* execute(graph_node& n) noexcept;
    graph_node* open(job& j) noexcept;
    graph_node* begin(const index* first, std::size_t n) noexcept;
    void leave(job& j) noexcept;
    HEIST_COLD void leave_measured(job& j) noexcept;

    graph_run& run_;
    std::int64_t pushed_ = 0;   // jobs in the deque, unless stolen
    std::int64_t tickets_ = 0;  // that it may give to jobs
    const int depth_;           // if the run is measured: how many walkers wait for this one to end
    std::vector<job*> kept_;    // if it is measured: jobs that it runs itself
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
  bool is_ready(index i) noexcept;
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
