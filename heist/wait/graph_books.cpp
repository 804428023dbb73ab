#include <heist/wait/graph_books.hpp>
#include <heist/wait/graph_run.hpp>

#include <algorithm>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

namespace heist::detail {

namespace {
constexpr std::size_t most = std::numeric_limits<graph_books::index>::max();  // nodes; and edges
constexpr job::kind no_function{};
}

stack* graph_node::steal(job& self) noexcept { return graph_run::run_stolen(self); }

graph_books::graph_books() noexcept = default;

graph_books::~graph_books() { destroy_functions(); }

void graph_books::destroy_functions() noexcept {
  for (index i = 0; i < nodes_; ++i)
    if (graph_node& n = at(i); n.how().destroy != nullptr) n.how().destroy(n);
}

// Building ----------------------------------------------------------------------------------------------------------

void graph_books::must_rest() const {
  if (runs_.load(std::memory_order_relaxed)) refuse_use();
}

void graph_books::refuse_use() { throw std::logic_error("heist: a graph was changed, or run again, while it runs"); }

void graph_books::refuse_stranger() {
  throw std::invalid_argument("heist: graph::precede was called with a node that is not of this graph");
}

graph_node& graph_books::place() {
  must_rest();
  if (nodes_ == most) throw std::length_error("heist: a graph has too many nodes");
  if (nodes_ / in_chunk == chunks_.size()) chunks_.push_back(sole<chunk>(new chunk));  // not zeroed
  // Now, not in add(): a constructor may undo what was written before to where it is.
  return *::new (static_cast<void*>(chunks_.back()->nodes() + nodes_ % in_chunk)) graph_node(no_function);
}

// The function is there: if this throws, it must not stay.
graph_books::index graph_books::add(const graph_function& how, std::string name) {
  graph_node& n = at(nodes_);
  if (!name.empty()) {
    try {
      names_.emplace_back(nodes_, std::move(name));
    } catch (...) {
      if (how.destroy != nullptr) how.destroy(n);
      throw;
    }
  }
  n.word.store(reinterpret_cast<std::uintptr_t>(static_cast<const job::kind*>(&how)), std::memory_order_relaxed);
  n.of = this;
  n.index = nodes_;
  n.first_successor = 0;
  n.successors = 0;
  has_conditions_ = has_conditions_ || how.chooses;
  prepared_ = false;
  return nodes_++;
}

void graph_books::precede(index before, index after) {
  must_rest();
  if (edges() == most) throw std::length_error("heist: a graph has too many edges");
  added_.push_back({before, after});
  upwards_ = upwards_ && before < after;
  prepared_ = false;
}

void graph_books::clear() {
  must_rest();
  destroy_functions();
  chunks_.clear();
  names_.clear();
  successors_.clear();
  degrees_.clear();
  roots_.clear();
  added_.clear();
  missing_.reset();
  nodes_ = 0;
  has_conditions_ = prepared_ = false;
  upwards_ = true;
}

std::string graph_books::name_of(index i) const {
  const auto named = std::lower_bound(names_.begin(), names_.end(), i, [](const auto& n, index k) { return n.first < k; });
  return named != names_.end() && named->first == i ? named->second : std::string(1, '#').append(std::to_string(i));
}

// Before a run ------------------------------------------------------------------------------------------------------

// Lays out what has changed since the last run.
void graph_books::prepare() {
  if (prepared_) return;
  if (!added_.empty()) link();
  count();
  must_be_acyclic();
  missing_.reset(new std::atomic<index>[nodes_]());
  prepared_ = true;
}

// Sorts the edges by the node that they come from; those of one node stay in their order.
void graph_books::link() {
  std::vector<index> places(std::size_t{nodes_} + 1);  // where the next successor of each node goes
  const bool had_some = !successors_.empty();
  if (had_some)
    for (index i = 0; i < nodes_; ++i) places[i + 1] = at(i).successors;
  for (const edge& e : added_) ++places[e.from + 1];
  for (index i = 0; i < nodes_; ++i) places[i + 1] += places[i];
  std::vector<index> all(places[nodes_]);
  for (index i = 0; i < nodes_; ++i) {
    graph_node& n = at(i);
    const index first = places[i];
    const index old = std::exchange(n.successors, places[i + 1] - first);
    const index old_first = std::exchange(n.first_successor, first);
    if (had_some) {
      std::copy_n(successors_.begin() + old_first, old, all.begin() + first);
      places[i] += old;
    }
  }
  for (const edge& e : added_) all[places[e.from]++] = e.to;
  successors_ = std::move(all);
  std::vector<edge>().swap(added_);
}

void graph_books::count() {
  degrees_.assign(nodes_, 0);
  for (const index to : successors_) ++degrees_[to];
  roots_.clear();
  for (index i = 0; i < nodes_; ++i)
    if (degrees_[i] == 0) roots_.push_back(i);
  if (!has_conditions_) return;
  for (index i = 0; i < nodes_; ++i) {
    if (!at(i).how().chooses) continue;
    for_successors(i, [this](index to) { --degrees_[to]; });
  }
}

// Edges that lead from conditions do not count.
void graph_books::must_be_acyclic() const {
  if (!upwards_) {
    std::vector<index> left = degrees_, ready;
    index ended = 0;
    for (index i = 0; i < nodes_; ++i)
      if (left[i] == 0) ready.push_back(i);
    while (!ready.empty()) {
      const index now = ready.back();
      ready.pop_back();
      ++ended;
      if (at(now).how().chooses) continue;
      for_successors(now, [&](index to) {
        if (--left[to] == 0) ready.push_back(to);
      });
    }
    if (ended != nodes_) refuse_cycle(left);
  }
  if (nodes_ > 0 && roots_.empty())
    throw std::invalid_argument(
        "heist: a graph has no node to begin with: a condition leads to each that no other node precedes");
}

// `left`: how many predecessors of each node are in a cycle, or come after one.
void graph_books::refuse_cycle(const std::vector<index>& left) const {
  // Backwards, such a node always has a predecessor of its kind: so that walk comes round.
  std::vector<index> before(nodes_, nodes_);
  for (index i = 0; i < nodes_; ++i) {
    if (left[i] == 0 || at(i).how().chooses) continue;
    for_successors(i, [&](index to) { before[to] = i; });
  }
  auto now = static_cast<index>(std::find_if(left.begin(), left.end(), [](index d) { return d > 0; }) - left.begin());
  std::vector<bool> seen(nodes_);
  for (; !seen[now]; now = before[now]) seen[now] = true;
  std::vector<index> cycle{now};
  for (index i = before[now]; i != now; i = before[i]) cycle.push_back(i);
  // From the node that was made first.
  std::reverse(cycle.begin(), cycle.end());
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  cycle.push_back(cycle.front());
  constexpr std::size_t shown = 20;
  std::string path;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (i >= shown && i + 1 < cycle.size()) continue;
    if (i > 0) path += i + 1 == cycle.size() && i > shown ? " -> … -> " : " -> ";
    path += name_of(cycle[i]);
  }
  throw std::invalid_argument("heist: a graph has a cycle: " + path);
}

void graph_books::run(const std::stop_token& token) {
  // Nothing is handed over here: two runs at once are refused.
  if (runs_.exchange(true, std::memory_order_relaxed)) refuse_use();
  struct ended {
    std::atomic<bool>& runs;
    ~ended() { runs.store(false, std::memory_order_relaxed); }
  } const at_end{runs_};
  prepare();
  if (nodes_ > 0) graph_run::in_a_pool(*this, token);
}

}  // namespace heist::detail
