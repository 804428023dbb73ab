#include <heist/cancelled.hpp>
#include <heist/race/strands.hpp>
#include <heist/sched/checked.hpp>
#include <heist/sched/unwanted.hpp>
#include <heist/scope.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/strand/seat.hpp>
#include <heist/sched/wait.hpp>
#include <heist/wait/graph_run.hpp>

#include <memory>
#include <new>
#include <utility>

namespace heist::detail {

const job::kind graph_run::range_kind{&graph_run::run_stolen};

graph_run::range::range(graph_run& of_run, const index* from, const index* to) noexcept
    : job(range_kind), of(&of_run), first(from), last(to) {}

// Its beginning and its end -----------------------------------------------------------------------------------------

void graph_run::in_a_pool(graph_books& g, const std::stop_token& token) {
  auto body = [&] { graph_run(g, token).run(); };
  if (this_worker() != nullptr)
    body();
  else
    call_through(run_outside, body);
}

graph_run::graph_run(graph_books& g, const std::stop_token& token) : graph_(g), books_(token) {
  g.running_ = this;
  for (index i = 0; i < g.nodes_; ++i) g.missing_[i].store(g.degrees_[i], std::memory_order_relaxed);
}

#if defined(HEIST_RACE)
// One node after the other, in an order that the edges allow. A node comes after its predecessors, and is parallel to all
// others.
void graph_run::run_in_order() {
  race::group nodes;
  race::open_group(nodes);
  std::vector<graph_node*> ready;
  std::vector<std::vector<race::moment*>> before(graph_.nodes_);
  for (auto i = graph_.roots_.rbegin(); i != graph_.roots_.rend(); ++i) ready.push_back(&graph_.at(*i));
  while (!ready.empty()) {
    graph_node& n = *ready.back();
    ready.pop_back();
    race::place p;
    race::begin_child(nodes, p);
    for (const race::moment* const m : before[n.index]) race::after(m);
    std::int64_t chosen = graph_function::all;
    bool ran = false;
    if (graph_.has_conditions_) graph_.missing_[n.index].store(graph_.degrees_[n.index], std::memory_order_relaxed);
    if (!halted_.load(std::memory_order_relaxed)) {
      try {
        stop_if_unwanted();
        chosen = race::apart([&] { return n.how().call(n); });
        ran = true;
      } catch (...) {
        books_.fail(failed_.fetch_add(1, std::memory_order_relaxed));
        halted_.store(true, std::memory_order_relaxed);
      }
    }
    race::moment* const end = race::here();
    race::end_child(p);
    const index* const first = graph_.successors_.data() + n.first_successor;
    std::vector<graph_node*> next;
    for (std::int64_t i = 0; ran && i < n.successors; ++i) {
      if (chosen != graph_function::all && chosen != i) continue;
      before[first[i]].push_back(race::copy(end));
      if (chosen != graph_function::all || is_ready(first[i])) next.push_back(&graph_.at(first[i]));
    }
    race::forget(end);
    ready.insert(ready.end(), next.rbegin(), next.rend());
  }
  race::sync_group(nodes);
  for (const auto& all : before)
    for (race::moment* const m : all) race::forget(m);
}
#endif

void graph_run::run() {
#if defined(HEIST_RACE)
  run_in_order();
  if (std::exception_ptr e = outcome()) std::rethrow_exception(std::move(e));
  return;
#endif
  if (is_measured()) {
    run_measured();
  } else {
    // What stops the run stops the nodes on this strand, too.
    stack* const mine = this_seat()->running.get();
    const part outer = mine != nullptr ? mine->part_of.get() : part{};
    if (mine != nullptr) mine->part_of.set({&books_, number});
    walker w(*this);
    strand_of([&] { w.walk_from_the_roots(); });
    if (mine != nullptr) mine->part_of.set(outer);
    if (!w.end()) over_.rest();
    if (left_.any()) keep_belongings([this] { receive_belongings(left_.collect(give_belongings(), this)); });
  }
  if (std::exception_ptr e = outcome()) std::rethrow_exception(std::move(e));
}

// A measured run forks as if every node had a thief: so its span is that of the graph, if that is not too deep.
void graph_run::run_measured() {
  scope s;
  measured_ = &s;
  walker(*this).walk_from_the_roots();
  s.sync();
  measured_ = nullptr;
}

// After all nodes. What a node has thrown, or a stop.
std::exception_ptr graph_run::outcome() noexcept {
  if (std::exception_ptr e = books_.take_failure()) return e;
  return cut_short_.load(std::memory_order_relaxed) ? std::make_exception_ptr(cancelled()) : nullptr;
}

// Walkers -----------------------------------------------------------------------------------------------------------

// A job of a graph is a node or a range.
bool graph_run::is_range(const job& j) noexcept {
  return j.word.load(std::memory_order_relaxed) == reinterpret_cast<std::uintptr_t>(&range_kind);
}

graph_run& graph_run::of(job& j) noexcept {
  return is_range(j) ? *static_cast<range&>(j).of : *static_cast<graph_node&>(j).of->running_;
}

// The thief of a job walks on from there. Its ticket is the walker's own now.
stack* graph_run::run_stolen(job& self) noexcept {
  graph_run& run = of(self);
  if (stack* const here = this_seat()->running.get()) here->part_of.set({&run.books_, number});
  walker w(run);
  strand_of([&] { w.walk_from(self); });
  run.left_.leave_after(0);
  if (w.end()) run.over_.resume();
  return nullptr;
}

bool graph_run::walker::end() noexcept {
  // order[graph.end]: what this walker did, for the last one
  // order[graph.end]: if it is the last, what all did; the run's strand is this one, or resume() hands that on
  return run_.tickets_.fetch_sub(tickets_ + 1, std::memory_order_acq_rel) == tickets_ + 1;
}

bool graph_run::is_ready(index i) noexcept {
  std::atomic<index>& missing = graph_.missing_[i];
  // order[graph.arrive]: what the predecessors did; if ours is the last, nobody else changes the count
  const index left = missing.load(std::memory_order_acquire);
  if (left <= 1) return true;
  // order[graph.arrive]: for the last one; or what the others did
  return missing.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

// Runs the node, and what it makes ready, and what that makes ready, unless thieves do.
void graph_run::walker::walk(graph_node* next) noexcept {
  for (;;) {
    while (next != nullptr) {
      wait::give_way();  // a long chain never forks
      next = execute(*next);
    }
    if (!kept_.empty()) {
      job& j = *kept_.back();
      kept_.pop_back();
      next = open(j);
      continue;
    }
    if (pushed_ == 0) return;
    job* const j = this_worker()->jobs.owner().pop();
    if (j == nullptr) {  // the rest was stolen
      pushed_ = 0;
      return;
    }
    --pushed_;
    ++tickets_;
    next = open(*j);
  }
}

// Returns a successor that is ready, if there is one, and leaves the others to thieves.
graph_node* graph_run::walker::execute(graph_node& n) noexcept {
  if (run_.halted_.load(std::memory_order_relaxed)) return nullptr;
  if (run_.books_.stops(number)) {
    run_.cut_short_.store(true, std::memory_order_relaxed);
    return nullptr;
  }
  if (run_.graph_.has_conditions_) run_.graph_.missing_[n.index].store(run_.graph_.degrees_[n.index], std::memory_order_relaxed);
  std::int64_t chosen;
  try {
    stop_if_unwanted();
    chosen = n.how().call(n);
  } catch (...) {
    // The first one wins.
    run_.books_.fail(run_.failed_.fetch_add(1, std::memory_order_relaxed));
    run_.halted_.store(true, std::memory_order_relaxed);
    return nullptr;
  }
  const index* const first = run_.graph_.successors_.data() + n.first_successor;
  if (chosen == graph_function::all) return begin(first, static_cast<std::size_t>(n.successors));
  return chosen < n.successors ? &run_.graph_.at(first[chosen]) : nullptr;
}

graph_node* graph_run::walker::open(job& j) noexcept {
  if (!is_range(j)) return &static_cast<graph_node&>(j);
  const std::unique_ptr<range> r(&static_cast<range&>(j));
  return run_.halted_.load(std::memory_order_relaxed) ? nullptr : begin(r->first, static_cast<std::size_t>(r->last - r->first));
}

// Tells the nodes that another predecessor has ended. Returns the first that is ready, and leaves the others to thieves; a
// part of a long list, too.
graph_node* graph_run::walker::begin(const index* first, std::size_t n) noexcept {
  const index* last = first + n;
  while (last - first > batch) {
    const index* const middle = first + (last - first) / 2;
    range* const rest = new (std::nothrow) range(run_, middle, last);
    if (rest == nullptr) break;
    leave(*rest);
    last = middle;
  }
  graph_node* ready = nullptr;
  while (last != first) {  // backwards: so the first is the next
    if (!run_.is_ready(*--last)) continue;
    if (ready != nullptr) leave(*ready);
    ready = &run_.graph_.at(*last);
  }
  return ready;
}

// Leaves it to thieves.
void graph_run::walker::leave(job& j) noexcept {
  if (run_.measured_ != nullptr) return leave_measured(j);
  if (tickets_ == 0) {
    // The walker has one, so the count is not 0 before; what hands a job on carries it.
    run_.tickets_.fetch_add(batch, std::memory_order_relaxed);
    tickets_ = batch;
  }
  --tickets_;
  ++pushed_;
  worker& here = *this_worker();
  if (!here.jobs.owner().push(&j)) tripped(here);
}

// A child runs at once, on a stack of its own, and its parent's stack waits.
void graph_run::walker::leave_measured(job& j) noexcept {
  constexpr int most_stacks = 200;
  if (depth_ == most_stacks) return keep_belongings([&] { kept_.push_back(&j); });
  run_.measured_->spawn([&run = run_, &j, depth = depth_ + 1] { walker(run, depth).walk_from(j); });
}

}  // namespace heist::detail
