// Work sharing and static partition: threads are sent to a processor's queue, and nobody takes them from there.

#include <analysis/sim/scheduler.hpp>

namespace heist::analysis {
namespace {

class sharing final : public scheduler {
 public:
  explicit sharing(machine& m) : scheduler(m), static_(with().policy == policy::static_partition) {}

  void begin(id root) override {
    idle_ = processors() - 1;
    start(0, root);
  }

  void enabled(id, id t) override { put(thread(t).home, t); }

  void spawned(id p, id parent, id child) override {
    const id where = place(child);
    if (where == none) {
      if (parent != none) put(p, parent);
      start(p, child);
      return;
    }
    put(where, child);
    if (parent != none) {
      start(p, parent);
    } else {
      go_on(p);
    }
  }

  void stalled(id p, id) override { go_on(p); }
  void died(id p, id) override { go_on(p); }

  void end_step() override {
    for (const id p : woken_) {
      if (at(p).thread != none) continue;
      if (const id t = deque(p).pop_bottom(); t != none) {
        --idle_;
        start(p, t);
      }
    }
    woken_.clear();
  }

  void left(id, id) override {}  // validate() refuses
  void came(id) override {}
  std::uint64_t idle() const override { return idle_; }

 private:
  // Where a child goes; none: it stays, and goes first.
  id place(id child) {
    if (static_) return dealt(child) ? static_cast<id>(dealt_++ % processors()) : none;
    const id a = random().below(processors()), b = random().below(processors());
    auto load = [&](id q) { return deque(q).size() + (at(q).thread != none ? 1 : 0); };
    return load(b) < load(a) ? b : a;
  }

  bool dealt(id t) {
    std::uint32_t level = 0;
    for (; t != none && level <= with().levels; t = thread(t).parent) ++level;
    return t == none;
  }

  void put(id p, id t) {
    push_bottom(p, t);
    if (at(p).thread == none) woken_.push_back(p);
  }

  void go_on(id p) {
    ++idle_;
    woken_.push_back(p);
  }

  bool static_;
  std::uint64_t dealt_ = 0, idle_ = 0;
  std::vector<id> woken_;  // idle, and something may be in its queue
};

}  // namespace

std::unique_ptr<scheduler> make_sharing(machine& m) { return std::make_unique<sharing>(m); }

}  // namespace heist::analysis
