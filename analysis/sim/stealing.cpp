// The Work-Stealing Algorithm, and its help-first variant, in the atomic-access model: requests that meet at one deque
// queue up, and one is served in a step.

#include <analysis/sim/scheduler.hpp>

#include <algorithm>
#include <cmath>
#include <deque>

namespace heist::analysis {
namespace {

class stealing final : public scheduler {
 public:
  explicit stealing(machine& m)
      : scheduler(m),
        help_first_(with().policy == policy::help_first),
        requests_(processors()),
        next_(processors(), none) {}

  void begin(id root) override {
    for (id p = 1; p < processors(); ++p) free_.push_back(p);
    thieves_.swap(free_);
    start(0, root);
  }

  void enabled(id p, id t) override { push_bottom(p, t); }

  void spawned(id p, id parent, id child) override {
    if (parent == none) {
      start(p, child);
    } else if (help_first_) {
      push_bottom(p, child);
      start(p, parent);
    } else {
      push_bottom(p, parent);
      start(p, child);
    }
  }

  void stalled(id p, id) override { go_on(p); }
  void died(id p, id) override { go_on(p); }

  void end_step() override {
    ask();
    serve();
    arrivals();
    thieves_.insert(thieves_.end(), free_.begin(), free_.end());
    free_.clear();
  }

  void left(id p, id t) override {
    if (t != none) push_bottom(p, t);
    std::erase(thieves_, p);
    withdraw(p);
    if (travels_to(p)) --travelling_;
  }
  void came(id p) override {
    if (travels_to(p)) {
      ++travelling_;
      return;
    }
    const id t = pop_bottom(p);
    t != none ? start(p, t) : thieves_.push_back(p);
  }

  std::uint64_t waiting() const override { return waiting_ + travelling_; }
  std::uint64_t next_event() const override {
    if (!thieves_.empty() || waiting_ > 0) return now() + 1;
    return transit_.empty() ? ~std::uint64_t{0} : transit_.front().step;
  }

 private:
  struct travel {
    std::uint64_t step;  // at whose end it is there
    id thief, thread;    // none: the answer is no
  };

  struct queue {
    id first = none, last = none;  // thieves, in the order of asking
    std::uint32_t length = 0;
  };

  // p has nothing to work on.
  void go_on(id p) {
    const id t = pop_bottom(p);
    t != none ? start(p, t) : free_.push_back(p);
  }

  void ask() {
    // Victims are anywhere in memory: all are chosen, and fetched, before the first is looked at.
    chosen_.resize(thieves_.size());
    for (std::size_t i = 0; i < thieves_.size(); ++i) {
      chosen_[i] = victim(thieves_[i]);
      __builtin_prefetch(&requests_[chosen_[i]]);
      __builtin_prefetch(&at(chosen_[i]).top);
    }
    for (std::size_t i = 0; i < thieves_.size(); ++i) {
      append(chosen_[i], thieves_[i]);
      tell_asked(thieves_[i], chosen_[i]);
    }
    waiting_ += thieves_.size();
    counts().steal += thieves_.size();
    counts().attempts += thieves_.size();
    thieves_.clear();
  }

  void append(id v, id p) {
    queue& q = requests_[v];
    if (q.length++ == 0) {
      asked_.push_back(v);
      q.first = p;
    } else {
      next_[q.last] = p;
    }
    q.last = p;
    next_[p] = none;
  }

  // The request that the adversary lets through.
  id take(queue& q) {
    std::uint32_t skip = 0;
    if (with().adversary == adversary::last) skip = q.length - 1;
    if (with().adversary == adversary::random && q.length > 1) skip = random().below(q.length);
    id before = none, p = q.first;
    for (; skip > 0; --skip) {
      before = p;
      p = next_[p];
    }
    unlink(q, before, p);
    return p;
  }

  void unlink(queue& q, id before, id p) {
    (before == none ? q.first : next_[before]) = next_[p];
    if (q.last == p) q.last = before;
    --q.length;
    --waiting_;
  }

  void withdraw(id p) {
    for (const id v : asked_) {
      id before = none;
      for (id r = requests_[v].first; requests_[v].length > 0 && r != none; before = r, r = next_[r])
        if (r == p) return unlink(requests_[v], before, p);
    }
  }

  // One request at each deque that has any.
  void serve() {
    std::size_t still = 0;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const id v = asked_[i];
      queue& q = requests_[v];
      if (q.length == 0) continue;  // who asked has left
      answer(take(q), v);
      if (with().contention == contention::denied)
        while (q.length > 0) travel_or_arrive(take(q), none);
      if (q.length > 0) asked_[still++] = v;
    }
    asked_.resize(still);
  }

  void answer(id thief, id v) {
    id t = pop_top(v);
    if (t == none) return travel_or_arrive(thief, none);
    ++counts().steals;
    if (with().amount == amount::half) {
      // The thief works on the youngest of what it took and keeps the others, in their order.
      for (std::uint32_t more = at(v).size / 2; more > 0; --more) {
        push_bottom(thief, t);
        t = pop_top(v);
        ++counts().steals;
      }
    }
    move_to(thief, t);
    thread(t).state = state::moving;
    travel_or_arrive(thief, t);
  }

  void travel_or_arrive(id thief, id t) {
    if (with().latency > 1) {
      transit_.push_back({now() + with().latency - 1, thief, t});
      ++travelling_;
    } else {
      arrived(thief, t);
    }
  }

  void arrived(id thief, id t) {
    if (!at(thief).here) {
      if (t != none) push_bottom(thief, t);
    } else {
      t != none ? start(thief, t) : free_.push_back(thief);
    }
  }

  void arrivals() {
    for (; !transit_.empty() && transit_.front().step == now(); transit_.pop_front()) {
      const travel& t = transit_.front();
      if (at(t.thief).here) --travelling_;
      arrived(t.thief, t.thread);
    }
  }

  bool travels_to(id p) const {
    return std::any_of(transit_.begin(), transit_.end(), [p](const travel& t) { return t.thief == p; });
  }

  id victim(id p) {
    const id n = processors();
    id distance = 1 + (n > 2 ? random().below(n - 1) : 0);
    if (n > 3 && with().victims == victims::near) {
      distance = static_cast<id>(std::exp(random().unit() * std::log(n / 2)));
      if (random().below(2) == 0) distance = n - distance;
    }
    return p + distance < n ? p + distance : p + distance - n;
  }

  bool help_first_;
  std::vector<queue> requests_;     // by victim
  std::vector<id> next_;            // by thief: who asked the same victim after it
  std::vector<id> asked_;           // victims with requests
  std::vector<id> thieves_, free_;  // who asks in this step; who asks in the next
  std::vector<id> chosen_;          // by position in thieves_: the victim
  std::deque<travel> transit_;
  std::uint64_t waiting_ = 0;     // requests that are queued
  std::uint64_t travelling_ = 0;  // answers in transit to processors that are here
};

}  // namespace

std::unique_ptr<scheduler> make_stealing(machine& m) { return std::make_unique<stealing>(m); }

}  // namespace heist::analysis
