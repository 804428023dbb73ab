#include <analysis/dag/error.hpp>
#include <analysis/dag/random.hpp>
#include <analysis/replay/replay.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>
#include <utility>
#include <vector>

namespace heist::analysis {

namespace {

using kind = recorded_step::kind;

// Workers go through the steps, each at its own time; whoever is earliest goes next. Thieves that find nothing are not
// followed look by look: they wait until there is something, and it takes them as long to find it as random looks
// would.
class replayed_machine {
 public:
  replayed_machine(const recorded_run& run, const machine_costs& costs, std::uint32_t workers, std::uint64_t seed)
      : steps_(run.steps),
        costs_(costs),
        workers_(workers),
        forks_(run.forks, branch::untouched),
        scopes_(run.scopes),
        stolen_(run.steps.size()),
        random_(seed) {}

  replayed run() {
    for (std::uint32_t w = workers(); --w > 0;) lie_in_wait(w, 0);
    workers_[0].doing = activity::running;
    due_.push({0, 0});
    while (!ended_) {
      if (due_.empty()) throw bad_input("the recording waits for something that never happens; record it again");
      const event e = due_.top();
      due_.pop();
      now_ = e.at;
      if (workers_[e.worker].doing == activity::stealing)
        steal(e.worker);
      else
        go_on(e.worker);
      send_thieves();
    }
    result_.time = now_;
    return result_;
  }

 private:
  enum class activity : std::uint8_t { waiting, stealing, running };
  // Of a fork's second branch.
  enum class branch : std::uint8_t { untouched, stolen, awaited, done };

  struct worker {
    activity doing = activity::waiting;
    std::uint32_t at = 0;            // running: its next step
    double since = 0;                // waiting: the time it began
    std::deque<std::uint32_t> jobs;  // the steps that left them; thieves take the front
    std::uint32_t place = 0;         // in victims_, if there are jobs
  };
  struct scope {
    std::uint32_t out = 0;  // stolen, and not back
    bool awaited = false;
    std::uint32_t sync = 0;  // if awaited
  };
  struct event {
    double at;
    std::uint32_t worker;
    friend bool operator<(const event& a, const event& b) { return a.at > b.at; }  // the earliest on top
  };

  std::uint32_t workers() const { return static_cast<std::uint32_t>(workers_.size()); }

  // The running worker ------------------------------------------------------------------------------------------

  void go_on(std::uint32_t me) {
    worker& w = workers_[me];
    for (;;) {
      if (w.at == steps_.size()) {
        ended_ = true;
        return;
      }
      const recorded_step& s = steps_[w.at];
      switch (s.what) {
        case kind::strand:
          ++w.at;
          return busy(me, s.ns + s.number * costs_.fork);
        case kind::fork:
          push(me, w.at++);
          return busy(me, costs_.fork);
        case kind::child:
          push(me, w.at++);
          return busy(me, costs_.spawn);
        case kind::queued:
          push(me, w.at++);
          return busy(me, costs_.spawn);
        case kind::second:
          if (pop(me)) {
            ++w.at;
            break;
          }
          if (std::exchange(forks_[s.number], branch::awaited) != branch::done) return suspend(me);
          w.at = s.other + 1;
          break;
        case kind::join:
          if (forks_[s.number] == branch::untouched || end_branch(s.number)) {
            const bool resumed = forks_[s.number] == branch::awaited;
            ++w.at;
            if (resumed) return busy(me, costs_.resume);
            break;
          }
          return lie_in_wait(me, now_);
        case kind::child_end:
          if (pop(me)) {
            ++w.at;
            break;
          }
          return arrive(me, s.number);
        case kind::later:
          if (stolen_[w.at]) {
            w.at = s.other + 1;
            break;
          }
          take_back(me);
          ++w.at;
          break;
        case kind::later_end:
          if (!stolen_[s.other]) {
            ++w.at;
            break;
          }
          return arrive(me, s.number);
        case kind::sync: {
          scope& of = scopes_[s.number];
          if (of.out > 0) {
            of.awaited = true;
            of.sync = w.at;
            return suspend(me);
          }
          ++w.at;
          break;
        }
      }
    }
  }

  void busy(std::uint32_t me, double ns) {
    result_.busy += ns;
    due_.push({now_ + ns, me});
  }

  // The thief at the end of a stolen branch. True: the fork waits for it, and it goes on there.
  bool end_branch(std::uint32_t fork) {
    if (forks_[fork] == branch::awaited) return true;
    forks_[fork] = branch::done;
    return false;
  }

  // A robbed child, or a stolen one.
  void arrive(std::uint32_t me, std::uint32_t at_scope) {
    scope& s = scopes_[at_scope];
    if (--s.out > 0 || !s.awaited) return lie_in_wait(me, now_);
    workers_[me].at = s.sync + 1;
    busy(me, costs_.resume);
  }

  void suspend(std::uint32_t me) {
    ++result_.suspends;
    lie_in_wait(me, now_);
  }

  void lie_in_wait(std::uint32_t me, double since) {
    workers_[me].doing = activity::waiting;
    workers_[me].since = since;
    searching_.push_back(me);
  }

  // The deques --------------------------------------------------------------------------------------------------

  void push(std::uint32_t me, std::uint32_t step) {
    worker& w = workers_[me];
    if (w.jobs.empty()) {
      w.place = static_cast<std::uint32_t>(victims_.size());
      victims_.push_back(me);
    }
    w.jobs.push_back(step);
    ++jobs_;
  }

  // By the deque discipline a worker whose deque is empty was robbed of what it looks for.
  bool pop(std::uint32_t me) {
    worker& w = workers_[me];
    if (w.jobs.empty()) return false;
    w.jobs.pop_back();
    took_from(w);
    return true;
  }

  // A queued child that nobody stole, by the strand that queued it. The runtime takes the last first; here they run in
  // the order they were recorded in, which takes as long.
  void take_back(std::uint32_t me) {
    worker& w = workers_[me];
    w.jobs.erase(std::ranges::find(w.jobs, w.at, [&](std::uint32_t job) { return steps_[job].other; }));
    took_from(w);
  }

  void took_from(worker& w) {
    --jobs_;
    if (!w.jobs.empty()) return;
    workers_[victims_.back()].place = w.place;
    victims_[w.place] = victims_.back();
    victims_.pop_back();
  }

  // The thieves -------------------------------------------------------------------------------------------------

  // As many as there are jobs, of those that search. Only if nobody searches one that sleeps is woken; it wakes the
  // next when it has found something.
  void send_thieves() {
    while (!searching_.empty() && now_ - workers_[searching_.front()].since > costs_.patience) {
      asleep_.push_back(searching_.front());
      searching_.pop_front();
    }
    while (thieves_ < jobs_ && !searching_.empty()) {
      const auto chosen = searching_.begin() + random_.below(static_cast<std::uint32_t>(searching_.size()));
      set_out(*chosen, 0);
      searching_.erase(chosen);
    }
    if (thieves_ > 0 || jobs_ == 0 || asleep_.empty()) return;
    ++result_.wakes;
    set_out(asleep_.back(), costs_.wake);
    asleep_.pop_back();
  }

  void set_out(std::uint32_t me, double delay) {
    workers_[me].doing = activity::stealing;
    ++thieves_;
    due_.push({now_ + delay + looking() + costs_.steal, me});
  }

  // Looks at random victims, all who search at the same time, until one finds something.
  double looking() {
    const double each = static_cast<double>(victims_.size()) / std::max(1u, workers() - 1);
    const double all = 1 - std::pow(1 - each, static_cast<double>(thieves_ + searching_.size()));
    if (all >= 1) return 0;
    return costs_.look * std::floor(std::log1p(-random_.unit()) / std::log1p(-all));
  }

  void steal(std::uint32_t me) {
    --thieves_;
    if (victims_.empty()) {
      ++result_.lost;
      return lie_in_wait(me, now_);
    }
    worker& victim = workers_[victims_[random_.below(static_cast<std::uint32_t>(victims_.size()))]];
    const std::uint32_t job = victim.jobs.front();
    victim.jobs.pop_front();
    took_from(victim);
    ++result_.steals;
    const recorded_step& s = steps_[job];
    if (s.what == kind::fork) {
      forks_[s.number] = branch::stolen;
    } else {
      ++scopes_[s.number].out;
      if (s.what == kind::queued) stolen_[s.other] = true;
    }
    // A fork's second branch, a spawn's continuation, or a queued child.
    workers_[me].at = s.other + 1;
    workers_[me].doing = activity::running;
    go_on(me);
  }

  const std::vector<recorded_step>& steps_;
  const machine_costs costs_;
  std::vector<worker> workers_;
  std::vector<branch> forks_;
  std::vector<scope> scopes_;
  std::vector<bool> stolen_;             // children of spawn_later
  std::deque<std::uint32_t> searching_;  // workers with nothing to do, the longest first
  std::vector<std::uint32_t> asleep_;    // … for too long
  std::vector<std::uint32_t> victims_;   // workers with something to steal
  std::uint64_t jobs_ = 0, thieves_ = 0;
  std::priority_queue<event> due_;
  double now_ = 0;
  bool ended_ = false;
  stream random_;
  replayed result_;
};

}  // namespace

replayed replay(const recorded_run& run, const machine_costs& costs, std::uint32_t workers, std::uint64_t seed) {
  return replayed_machine(run, costs, workers, seed).run();
}

}  // namespace heist::analysis
