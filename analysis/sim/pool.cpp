// Greedy and Busy-Leaves: a central pool of threads that nobody works on.

#include <analysis/sim/scheduler.hpp>

#include <algorithm>
#include <set>

namespace heist::analysis {
namespace {

class pool final : public scheduler {
 public:
  explicit pool(machine& m) : scheduler(m), busy_leaves_(with().policy == policy::busy_leaves) {}

  void begin(id root) override {
    for (id p = processors() - 1; p > 0; --p) idle_.push_back(p);
    start(0, root);
  }

  void enabled(id, id t) override { put(t); }

  void spawned(id p, id parent, id child) override {
    if (busy_leaves_ || parent == none) {
      if (parent != none) put(parent);
      start(p, child);
    } else {
      put(child);
      start(p, parent);
    }
  }

  void stalled(id p, id) override { idle_.push_back(p); }

  void died(id p, id t) override {
    const id parent = thread(t).parent;
    if (busy_leaves_ && parent != none && thread(parent).living == 0 && thread(parent).state == state::ready &&
        ready_.erase({key_of(parent), parent}) == 1) {
      start(p, parent);
    } else {
      idle_.push_back(p);
    }
  }

  // An idle processor takes the oldest ready thread; the greedy scheduler the one that has been in the pool for
  // longest.
  void end_step() override {
    while (!idle_.empty() && !ready_.empty()) {
      const id t = ready_.begin()->second, p = idle_.back();
      ready_.erase(ready_.begin());
      idle_.pop_back();
      start(p, t);
    }
  }

  void left(id p, id t) override {
    idle_.erase(std::remove(idle_.begin(), idle_.end(), p), idle_.end());
    if (t != none) put(t);
  }
  void came(id p) override { idle_.push_back(p); }
  std::uint64_t idle() const override { return idle_.size(); }

 private:
  std::uint64_t key_of(id t) { return busy_leaves_ ? number(t) : arrivals_; }

  void put(id t) {
    thread(t).state = state::ready;
    ready_.emplace(key_of(t), t);
    ++arrivals_;
  }

  bool busy_leaves_;
  std::uint64_t arrivals_ = 0;
  std::set<std::pair<std::uint64_t, id>> ready_;
  std::vector<id> idle_;
};

}  // namespace

std::unique_ptr<scheduler> make_pool(machine& m) { return std::make_unique<pool>(m); }

}  // namespace heist::analysis
