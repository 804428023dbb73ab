#include <analysis/dag/error.hpp>
#include <analysis/replay/machine.hpp>
#include <heist/topology/near.hpp>

#include <utility>

namespace heist::analysis {

namespace {
using kind = recorded_step::kind;
}  // namespace

replayed_machine::replayed_machine(const recorded_run& run, const machine_costs& costs, std::uint32_t workers,
                                   std::uint64_t seed)
    : costs_(costs),
      random_(seed),
      steps_(run.steps),
      workers_(workers),
      forks_(run.forks, branch::untouched),
      scopes_(run.scopes),
      stolen_(run.steps.size()) {}

replayed replayed_machine::run() {
  for (id w = workers(); --w > 0;) costs_.asleep_at_first ? asleep_.push_back(w) : lie_in_wait(w, 0);
  workers_[0].doing = activity::running;
  ++running_;
  began(0);
  schedule(0, 0);
  while (!ended_) {
    if (due_.empty()) throw bad_input("the recording waits for something that never happens; record it again");
    const event e = due_.top();
    due_.pop();
    if (called_off(e)) continue;
    now_ = e.at;
    if (e.who == workers())
      look();
    else
      handle(e.who);
    send_thieves();
  }
  result_.time = now_;
  return result_;
}

bool replayed_machine::called_off(const event& e) const {
  return e.ticket != (e.who == workers() ? look_ : workers_[e.who].ticket);
}

void replayed_machine::handle(id w) {
  if (workers_[w].doing != activity::running) return go_on_stealing(w);
  if (!interrupted(w)) go_on(w);
}

// The running worker ----------------------------------------------------------------------------------------------

void replayed_machine::go_on(id me) {
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

void replayed_machine::busy(id me, double ns) {
  result_.busy += ns;
  workers_[me].fences = result_.fences;
  schedule(me, ns);
}

// Fences since its event was scheduled put it off; it is looked at again then.
bool replayed_machine::interrupted(id me) {
  worker& w = workers_[me];
  const double lost = costs_.interrupt * static_cast<double>(result_.fences - w.fences);
  w.fences = result_.fences;
  if (lost > 0) schedule(me, lost);
  return lost > 0;
}

// The thief at the end of a stolen branch. True: the fork waits for it, and it goes on there.
bool replayed_machine::end_branch(std::uint32_t fork) {
  if (forks_[fork] == branch::awaited) return true;
  forks_[fork] = branch::done;
  return false;
}

// A robbed child, or a stolen one.
void replayed_machine::arrive(id me, std::uint32_t at_scope) {
  scope& s = scopes_[at_scope];
  if (--s.out > 0 || !s.awaited) return lie_in_wait(me, now_);
  workers_[me].at = s.sync + 1;
  busy(me, costs_.resume);
}

void replayed_machine::suspend(id me) {
  ++result_.suspends;
  lie_in_wait(me, now_);
}

// The deques ------------------------------------------------------------------------------------------------------

void replayed_machine::push(id me, std::uint32_t step) {
  worker& w = workers_[me];
  if (w.jobs.empty()) {
    w.place = static_cast<std::uint32_t>(victims_.size());
    victims_.push_back(me);
  }
  w.jobs.push(step);
  ++jobs_;
  pushed(me);
}

// By the deque discipline a worker whose deque is empty was robbed of what it looks for.
bool replayed_machine::pop(id me) {
  worker& w = workers_[me];
  if (w.jobs.empty()) return false;
  w.jobs.pop();
  took_from(me);
  return true;
}

// A queued child that nobody stole, by the strand that queued it. The runtime takes the last first; here they run in
// the order they were recorded in, which takes as long.
void replayed_machine::take_back(id me) {
  worker& w = workers_[me];
  w.jobs.pop_if([&](std::uint32_t job) { return steps_[job].other == w.at; });
  took_from(me);
}

void replayed_machine::took_from(id from) {
  --jobs_;
  const worker& w = workers_[from];
  if (!w.jobs.empty()) return;
  workers_[victims_.back()].place = w.place;
  victims_[w.place] = victims_.back();
  victims_.pop_back();
  emptied(from);
}

// For thieves -----------------------------------------------------------------------------------------------------

void replayed_machine::lie_in_wait(id me, double since) {
  worker& w = workers_[me];
  if (w.doing == activity::running) --running_;
  w.doing = activity::waiting;
  w.since = since;
  searching_.push_back(me);
}

void replayed_machine::put_to_sleep() {
  while (!searching_.empty() && now_ - workers_[searching_.front()].since > costs_.patience) {
    asleep_.push_back(searching_.front());
    searching_.pop_front();
  }
}

double replayed_machine::waking() {
  const std::vector<double>& seen = costs_.wakes;
  return seen.empty() ? costs_.wake : seen[random_.below(static_cast<std::uint32_t>(seen.size()))];
}

bool replayed_machine::far(id a, id b) const {
  return costs_.cores_per_node > 0 && a / costs_.cores_per_node != b / costs_.cores_per_node;
}

replayed_machine::id replayed_machine::random_victim(id thief) {
  auto any = [&] { return victims_[random_.below(static_cast<std::uint32_t>(victims_.size()))]; };
  if (!costs_.near_victims) return any();
  using detail::distance;
  return detail::draw_near(random_, any, [&](id v) { return far(thief, v) ? distance::far : distance::node; });
}

void replayed_machine::take(id thief, id victim) {
  --thieves_;
  const std::uint32_t job = workers_[victim].jobs.take();
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
  worker& w = workers_[thief];
  w.at = s.other + 1;
  w.doing = activity::running;
  ++running_;
  began(thief);
  go_on(thief);
}

void replayed_machine::lose(id thief) {
  --thieves_;
  ++result_.lost;
  lie_in_wait(thief, now_);
}

// They notice when their events come due.
void replayed_machine::interrupt_all() {
  ++result_.fences;
  result_.interrupts += running_;
}

}  // namespace heist::analysis
