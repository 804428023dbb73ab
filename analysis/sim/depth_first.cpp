// Two schedulers that keep space low by running depth first, without thieves: that of Blelloch, Gibbons and Matias, in
// the order of the serial program; and that of Burton and Simpson, depth first at each processor by itself.

#include <analysis/sim/scheduler.hpp>

#include <algorithm>
#include <functional>
#include <list>
#include <queue>

namespace heist::analysis {
namespace {

// All threads that live are in a list, in the order in which one processor would go on with them: a child stands before
// its parent. The leftmost that are ready are worked on. A thread that reaches the end of a stretch gives up its
// processor to one further left.
class depth_first final : public scheduler {
 public:
  using scheduler::scheduler;

  void begin(id root) override {
    for (id p = processors() - 1; p > 0; --p) idle_.push_back(p);
    insert(order_.end(), root);
    start(0, root);
  }

  void enabled(id, id) override {}  // it is where it was

  void goes_on(id p, id t) override {
    thread(t).state = state::ready;
    idle_.push_back(p);
  }

  void spawned(id p, id, id child) override {
    const id parent = thread(child).parent;
    insert(place_[parent], child);
    thread(child).state = state::ready;
    if (thread(parent).state == state::running) thread(parent).state = state::ready;
    if (thread(parent).state == state::dead) order_.erase(place_[parent]);
    idle_.push_back(p);
  }

  void stalled(id p, id) override { idle_.push_back(p); }

  void died(id p, id t) override {
    order_.erase(place_[t]);
    idle_.push_back(p);
  }

  void end_step() override {
    std::vector<id> chosen;
    for (auto t = order_.begin(); t != order_.end() && chosen.size() < idle_.size(); ++t)
      if (thread(*t).state == state::ready) chosen.push_back(*t);
    // A thread stays where it was, if it can.
    std::erase_if(chosen, [&](id t) {
      const auto same = std::ranges::find(idle_, thread(t).home);
      if (same == idle_.end()) return false;
      start(*same, t);
      idle_.erase(same);
      return true;
    });
    for (const id t : chosen) {
      start(idle_.back(), t);
      idle_.pop_back();
    }
  }

  void left(id p, id t) override {
    std::erase(idle_, p);
    if (t != none) thread(t).state = state::ready;
  }
  void came(id p) override { idle_.push_back(p); }
  std::uint64_t idle() const override { return idle_.size(); }

 private:
  void insert(std::list<id>::iterator before, id t) {
    if (t >= place_.size()) place_.resize(t + 1);
    place_[t] = order_.insert(before, t);
  }

  std::list<id> order_;
  std::vector<std::list<id>::iterator> place_;  // by thread
  std::vector<id> idle_;
};

// Each processor works depth first on what it has. One that has nothing takes the oldest of all threads on top of a
// deque, at once.
class locally_depth_first final : public scheduler {
 public:
  using scheduler::scheduler;

  void begin(id root) override {
    for (id p = processors() - 1; p > 0; --p) idle_.push_back(p);
    start(0, root);
  }

  void enabled(id p, id t) override { push_bottom(p, t); }

  void spawned(id p, id parent, id child) override {
    if (parent != none) push_bottom(p, parent);
    start(p, child);
  }

  void stalled(id p, id) override { go_on(p); }
  void died(id p, id) override { go_on(p); }

  void end_step() override {
    if (idle_.empty()) return;
    using top = std::pair<std::uint64_t, id>;  // the thread's number, whose deque it is
    std::priority_queue<top, std::vector<top>, std::greater<>> tops;
    for (id p = 0; p < processors(); ++p)
      if (const id t = deque(p).top(); t != none) tops.push({number(t), p});
    while (!idle_.empty() && !tops.empty()) {
      const id p = tops.top().second;
      tops.pop();
      start(idle_.back(), deque(p).pop_top());
      idle_.pop_back();
      if (const id t = deque(p).top(); t != none) tops.push({number(t), p});
    }
  }

  void left(id p, id t) override {
    std::erase(idle_, p);
    if (t != none) push_bottom(p, t);
  }
  void came(id p) override { go_on(p); }
  std::uint64_t idle() const override { return idle_.size(); }

 private:
  void go_on(id p) {
    const id t = deque(p).pop_bottom();
    t != none ? start(p, t) : idle_.push_back(p);
  }

  std::vector<id> idle_;
};

}  // namespace

std::unique_ptr<scheduler> make_depth_first(machine& m) { return std::make_unique<depth_first>(m); }
std::unique_ptr<scheduler> make_burton_simpson(machine& m) { return std::make_unique<locally_depth_first>(m); }

}  // namespace heist::analysis
