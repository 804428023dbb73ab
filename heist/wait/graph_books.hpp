#pragma once
// The nodes and edges of a graph, and how they are laid out for a run. See README.md, "The graph".

#include <heist/base/export.hpp>
#include <heist/base/sole.hpp>
#include <heist/sched/fork.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

class graph_books;
class graph_run;
struct graph_node;

// How to call, and how to destroy, the function of a node. A node's word is the address of one of these.
struct graph_function : job::kind {
  static constexpr std::int64_t all = -1;  // not chosen: every successor

  std::int64_t (*call)(graph_node&);        // returns `all`, or which successor goes on
  void (*destroy)(graph_node&) noexcept;  // null: nothing to do
  bool chooses;                           // it is a condition
};

// To thieves, a node that is ready is a job.
struct graph_node : job {
  using job::job;

  const graph_function& how() const noexcept {
    return static_cast<const graph_function&>(*reinterpret_cast<const kind*>(word.load(std::memory_order_relaxed)));
  }
  template <class F>
  static constexpr bool fits = sizeof(F) <= 24 && alignof(F) <= 8;

  // The thief of a node.
  HEIST_API static stack* steal(job& self) noexcept;

  graph_books* of;
  std::uint32_t index;
  std::uint32_t first_successor, successors;  // in graph_books::successors_
  alignas(8) unsigned char function[24];      // or its address
};

// A graph, whatever the functions of its nodes are.
class graph_books {
 public:
  using index = std::uint32_t;

  HEIST_API graph_books() noexcept;
  HEIST_API ~graph_books();
  graph_books(const graph_books&) = delete;
  graph_books& operator=(const graph_books&) = delete;

  // Where the next node will be: construct its function there, then call add().
  HEIST_API graph_node& place();
  HEIST_API index add(const graph_function& how, std::string name);
  HEIST_API void precede(index before, index after);
  HEIST_API void clear();
  HEIST_API void run(const std::stop_token& token);

  index nodes() const noexcept { return nodes_; }
  std::size_t edges() const noexcept { return successors_.size() + added_.size(); }
  [[noreturn]] HEIST_API HEIST_COLD static void refuse_stranger();

 private:
  friend class graph_run;

  struct edge {
    index from, to;
  };
  static constexpr index in_chunk = 1024;

  graph_node& at(index i) const noexcept { return chunks_[i / in_chunk]->nodes()[i % in_chunk]; }
  template <class F>
  void for_successors(index i, F&& f) const {
    const graph_node& n = at(i);
    const index* const first = successors_.data() + n.first_successor;
    for (const index* to = first; to != first + n.successors; ++to) f(*to);
  }
  void destroy_functions() noexcept;
  void must_rest() const;
  [[noreturn]] HEIST_COLD static void refuse_use();
  void prepare();
  void link();
  void count();
  void must_be_acyclic() const;
  [[noreturn]] void refuse_cycle(const std::vector<index>& left) const;
  std::string name_of(index i) const;

  // Nodes stay where they are.
  struct chunk {
    graph_node* nodes() noexcept { return reinterpret_cast<graph_node*>(bytes); }
    alignas(graph_node) unsigned char bytes[in_chunk * sizeof(graph_node)];
  };
  std::vector<sole<chunk>> chunks_;
  std::vector<std::pair<index, std::string>> names_;  // of those that have one
  index nodes_ = 0;

  // Made by prepare().
  std::vector<index> successors_;  // of all nodes, one after the other
  std::vector<index> degrees_;     // how many predecessors each node has, conditions aside
  std::vector<index> roots_;       // the nodes without any predecessor
  sole<std::atomic<index>[]> missing_;  // how many predecessors each node still waits for in this run
  bool has_conditions_ = false;
  bool prepared_ = false;  // nothing has changed since

  std::vector<edge> added_;  // since then
  bool upwards_ = true;      // every edge leads to a node that was made later: so there is no cycle
  std::atomic<bool> runs_{false};
  graph_run* running_ = nullptr;  // while it runs
};

}  // namespace heist::detail

HEIST_END
