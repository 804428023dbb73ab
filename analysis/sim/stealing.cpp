// The Work-Stealing Algorithm, and its help-first variant, in the atomic-access model: requests that meet at one deque
// queue up, and one is served in a step.

#include <analysis/sim/distances.hpp>
#include <analysis/sim/mailboxes.hpp>
#include <analysis/sim/scheduler.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <queue>

namespace heist::analysis {
namespace {

class stealing final : public scheduler {
 public:
  explicit stealing(machine& m)
      : scheduler(m),
        help_first_(with().policy == policy::help_first),
        half_(with().amount == amount::half),
        denies_(with().contention == contention::denied || with().keeps()),
        parts_(runs().parts()),
        requests_(processors()),
        next_(processors(), none),
        distances_(with()),
        stores_(half_ ? processors() : 0),
        mail_(processors(), parts_),
        failures_(with().backoff > 0 ? processors() : 0) {}

  void begin(id root) override {
    for (id p = 1; p < processors(); ++p) free_.push_back(p);
    thieves_.swap(free_);
    start(0, root);
  }

  void enabled(id p, id t) override { push_bottom(p, t); }

  void spawned(id p, id parent, id child) override {
    if (parent == none) {
      start(p, child);
    } else if (mailed(p, child)) {
      start(p, parent);
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

  bool hands_on_apart() const override { return !with().affinity; }
  void out_of_work(id p) override { free_.push_back(p); }

  void end_step() override {
    ask();
    serve();
    arrivals();
    wake();
    thieves_.insert(thieves_.end(), free_.begin(), free_.end());
    free_.clear();
  }

  // Its deque can be robbed, and taken over as a whole.
  void left(id p, id t) override {
    if (t != none) push_bottom(p, t);
    withdraw(p);
    if (travels_to(p)) --travelling_;
    leave(p);
  }
  void came(id p) override {
    std::erase(abandoned_, p);
    if (travels_to(p)) {
      ++travelling_;
      return;
    }
    const id t = next_own(p);
    t != none ? start(p, t) : thieves_.push_back(p);
  }

  std::uint64_t idle() const override { return resting_.size(); }
  std::uint64_t waiting() const override { return waiting_ + travelling_; }
  std::uint64_t next_event() const override {
    if (!thieves_.empty() || waiting_ > 0) return now() + 1;
    std::uint64_t step = resting_.empty() ? ~std::uint64_t{0} : resting_.top().first;
    for (const auto& t : transit_)
      if (!t.empty()) step = std::min(step, t.front().step);
    return step;
  }

 private:
  struct travel {
    std::uint64_t step;  // at whose end it is there
    id thief, thread;    // none: the answer is no
  };

  static constexpr std::uint32_t most_at_once = 64;  // steal-half

  struct queue {
    id first = none, last = none;  // thieves, in the order of asking
    std::uint32_t length = 0;
  };

  // p has nothing to work on.
  void go_on(id p) {
    const id t = next_own(p);
    if (t != none) return start(p, t);
    if (!looks_apart()) out_of_work(p);
  }

  // What p has in its deque; if that is empty, in its store.
  id next_own(id p) {
    const id t = deque(p).pop_bottom();
    return t != none || !half_ ? t : take_youngest(stores_[p]);
  }

  static id take_youngest(std::deque<id>& store) {
    if (store.empty()) return none;
    const id t = store.back();
    store.pop_back();
    return t;
  }
  static id take_oldest(std::deque<id>& store) {
    if (store.empty()) return none;
    const id t = store.front();
    store.pop_front();
    return t;
  }

  void start(id p, id t) {
    if (parts_ > 0 && !thread(t).worked) note_part(p, t);
    scheduler::start(p, t);
  }

  // Affinity ----------------------------------------------------------------------------------------------------

  void note_part(id p, id t) {
    const std::uint64_t part = runs().part(thread(t).next);
    if (part >= parts_) return;
    if (mail_.home(part) != none) {
      ++counts().parts;
      if (mail_.home(part) == p) ++counts().parts_kept;
    }
    mail_.lives_at(part, p);
  }

  // A child that another processor had before stays in the deque, and that processor is told.
  bool mailed(id p, id child) {
    if (!with().affinity) return false;
    const id home = mail_.home(runs().part(thread(child).next));
    if (home == none || home == p) return false;
    push_bottom(p, child);
    mail_.send(home, {child, number(child)});
    return true;
  }

  // What a letter names, if nobody has taken it.
  id read_mail(id p) {
    while (const auto letter = mail_.open(p)) {
      const activation& a = thread(letter->thread);
      if (number(letter->thread) != letter->number || a.state != state::ready || a.worked) continue;
      deque(a.home).erase(letter->thread);
      ++counts().letters;
      return letter->thread;
    }
    return none;
  }

  // Processors that left ----------------------------------------------------------------------------------------

  void leave(id p) {
    if (!deque(p).empty() || (half_ && !stores_[p].empty())) abandoned_.push_back(p);
  }

  // The deque of a processor that left, whole, if there is one that was not robbed empty.
  id mug(id thief) {
    while (!abandoned_.empty()) {
      const id p = abandoned_.back();
      abandoned_.pop_back();
      if (half_) stores_[thief].swap(stores_[p]);
      std::swap(deque(thief), deque(p));
      if (const id t = next_own(thief); t != none) {
        ++counts().mugs;
        return t;
      }
    }
    return none;
  }

  // Thieves -----------------------------------------------------------------------------------------------------

  // Those that are not here do not ask; those that found something without asking do not, either.
  void choose_who_asks() {
    std::size_t still = 0;
    for (const id p : thieves_) {
      if (!at(p).here) {
        if (with().keeps()) away_.push_back(p);
        continue;
      }
      const id t = with().affinity ? read_mail(p) : mug(p);
      if (t == none) {
        thieves_[still++] = p;
        continue;
      }
      ++counts().steal;
      catch_from(p, t, with().latency);
    }
    thieves_.resize(still);
  }

  void ask() {
    if (!with().steady() || with().affinity) choose_who_asks();
    // Victims are anywhere in memory: all are chosen before the first is looked at, and fetched a little before.
    chosen_.resize(thieves_.size());
    for (std::size_t i = 0; i < thieves_.size(); ++i) chosen_[i] = distances_.draw(thieves_[i], random());
    for (std::size_t i = 0; i < thieves_.size(); ++i) {
      if (i + 16 < thieves_.size()) __builtin_prefetch(&requests_[chosen_[i + 16]]);
      append(chosen_[i], thieves_[i]);
      tell_asked(thieves_[i], chosen_[i]);
    }
    waiting_ += thieves_.size();
    counts().steal += thieves_.size();
    counts().attempts += thieves_.size();
    if (with().victims == victims::near)
      for (std::size_t i = 0; i < thieves_.size(); ++i) ++counts().attempts_at[level(thieves_[i], chosen_[i])];
    thieves_.swap(away_);
    away_.clear();
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
      fetch(i);
      const id v = asked_[i];
      queue& q = requests_[v];
      if (q.length == 0) continue;  // who asked has left
      answer(take(q), v);
      if (denies_) deny(q, v);
      if (q.length > 0) asked_[still++] = v;
    }
    asked_.resize(still);
  }

  // What the answers a few places on will need. Inline, always: see machine::fetch().
  [[gnu::always_inline]] void fetch(std::size_t i) {
    if (i + 32 >= asked_.size()) return;
    __builtin_prefetch(&deque(asked_[i + 32]));
    __builtin_prefetch(&requests_[asked_[i + 32]]);
    const id v = asked_[i + 16];
    if (const id t = deque(v).top(); t != none) __builtin_prefetch(&thread(t));
    if (const id thief = requests_[v].first; thief != none) __builtin_prefetch(&at(thief));
  }

  void deny(queue& q, id v) {
    while (q.length > 0) {
      const id thief = take(q);
      bring(thief, none, latency(thief, v));
    }
  }

  void answer(id thief, id v) {
    const id t = half_ ? rob_half(thief, v) : deque(v).pop_top();
    if (t == none) return bring(thief, none, latency(thief, v));
    ++counts().steals;
    ++counts().catches;
    if (with().victims == victims::near) ++counts().steals_at[level(thief, v)];
    catch_from(thief, t, latency(thief, v));
  }

  // As the runtime does it: the thief begins with the oldest, and the others go to its store, where thieves look first.
  id rob_half(id thief, id v) {
    const bool stored = !stores_[v].empty();
    auto oldest = [&] { return stored ? take_oldest(stores_[v]) : deque(v).pop_top(); };
    const auto all = static_cast<std::uint32_t>(stored ? stores_[v].size() : deque(v).size());
    const id t = oldest();
    for (std::uint32_t more = std::min((all + 1) / 2, most_at_once); more > 1; --more) {
      stores_[thief].push_back(oldest());
      ++counts().steals;
    }
    return t;
  }

  void catch_from(id thief, id t, std::uint32_t steps) {
    move_to(thief, t);
    thread(t).state = state::moving;
    bring(thief, t, steps);
  }

  unsigned level(id thief, id v) const { return static_cast<unsigned>(distances_.between(thief, v)); }
  std::uint32_t latency(id thief, id v) const {
    const bool far = with().far_latency > 0 && distances_.between(thief, v) == detail::distance::far;
    return far ? with().far_latency : with().latency;
  }

  void bring(id thief, id t, std::uint32_t steps) {
    if (steps > 1) {
      transit_[steps == with().latency ? 0 : 1].push_back({now() + steps - 1, thief, t});
      ++travelling_;
    } else {
      arrived(thief, t);
    }
  }

  void arrived(id thief, id t) {
    if (!at(thief).here) {
      if (t != none) push_bottom(thief, t);
      if (!with().keeps()) leave(thief);
    } else if (t != none) {
      if (with().backoff > 0) failures_[thief] = 0;
      start(thief, t);
    } else if (with().backoff > 0) {
      back_off(thief);
    } else {
      free_.push_back(thief);
    }
  }

  void back_off(id thief) {
    const std::uint32_t doubled = 1u << std::min(++failures_[thief], 31u);
    const std::uint32_t rest = random().below(std::min(doubled, with().backoff));
    rest == 0 ? free_.push_back(thief) : resting_.push({now() + rest, thief});
  }

  void wake() {
    for (; !resting_.empty() && resting_.top().first == now(); resting_.pop()) free_.push_back(resting_.top().second);
  }

  void arrivals() {
    for (auto& list : transit_) {
      for (; !list.empty() && list.front().step == now(); list.pop_front()) {
        const travel t = list.front();
        if (at(t.thief).here) --travelling_;
        arrived(t.thief, t.thread);
      }
    }
  }

  bool travels_to(id p) const {
    return std::any_of(transit_.begin(), transit_.end(), [p](const auto& list) {
      return std::any_of(list.begin(), list.end(), [p](const travel& t) { return t.thief == p; });
    });
  }

  const bool help_first_, half_, denies_;
  const std::uint64_t parts_;
  std::vector<queue> requests_;     // by victim
  std::vector<id> next_;            // by thief: who asked the same victim after it
  std::vector<id> asked_;           // victims with requests
  std::vector<id> thieves_, free_;  // who asks in this step; who asks in the next
  std::vector<id> chosen_;          // by position in thieves_: the victim
  std::vector<id> away_;            // thieves that are not here
  std::array<std::deque<travel>, 2> transit_;  // by the time it takes: `latency`, `far_latency`
  distances distances_;
  std::vector<std::deque<id>> stores_;  // steal-half: what thieves hold beside their deques, the oldest first
  std::vector<id> abandoned_;           // processors that left something
  mailboxes mail_;
  std::vector<std::uint32_t> failures_;  // backoff: in a row
  using nap = std::pair<std::uint64_t, id>;
  std::priority_queue<nap, std::vector<nap>, std::greater<>> resting_;  // until the end of which step, and who
  std::uint64_t waiting_ = 0;     // requests that are queued
  std::uint64_t travelling_ = 0;  // answers in transit to processors that are here
};

}  // namespace

std::unique_ptr<scheduler> make_stealing(machine& m) { return std::make_unique<stealing>(m); }

}  // namespace heist::analysis
