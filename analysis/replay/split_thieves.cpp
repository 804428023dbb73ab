#include <analysis/replay/split_thieves.hpp>

#include <algorithm>
#include <cmath>

namespace heist::analysis {

split_thieves::split_thieves(const recorded_run& run, const machine_costs& costs, std::uint32_t workers,
                             std::uint64_t seed, stealing how)
    : replayed_machine(run, costs, workers, seed), how_(how), thieves_at_(workers), owners_(workers) {}

// Looks ---------------------------------------------------------------------------------------------------------------

// All searchers look at random victims at once. When the first of them finds something is drawn anew whenever the
// number of searchers or of victims changes: random looks have no memory.
void split_thieves::send_thieves() {
  put_to_sleep();
  if (thieves_ == 0 && searching_.empty() && jobs_ > 0 && !asleep_.empty()) {
    ++result_.wakes;
    ++thieves_;
    set_out(asleep_.back(), stage::waking, waking());
    asleep_.pop_back();
  }
  if (searching_.size() == searchers_ && victims_.size() == with_jobs_) return;
  searchers_ = searching_.size();
  with_jobs_ = victims_.size();
  if (searchers_ > 0 && with_jobs_ > 0)
    look_in(looking());
  else
    look_no_more();
}

double split_thieves::looking() {
  const double each = static_cast<double>(with_jobs_) / (workers() - 1);
  const double all = 1 - std::pow(1 - each, static_cast<double>(searchers_));
  if (all >= 1) return 0;
  return costs_.look * std::log1p(-random_.unit()) / std::log1p(-all);
}

// One of them has found something.
void split_thieves::look() {
  const auto chosen = random_searcher();
  const id me = *chosen;
  searching_.erase(chosen);
  ++thieves_;
  thieves_at_[me].victim = random_victim(me);
  if (how_ == stealing::fence) return fence(me);
  if (at(thieves_at_[me].victim).jobs.shared() > 0) return claim(me);
  ask(me);
}

// The thief -----------------------------------------------------------------------------------------------------------

void split_thieves::set_out(id me, stage next, double ns) {
  at(me).doing = activity::stealing;
  thieves_at_[me].at = next;
  schedule(me, ns);
}

// One that did not answer the last time is asked, but not waited for.
void split_thieves::ask(id me) {
  owner& o = owners_[thieves_at_[me].victim];
  if (!o.asked) ++result_.requests;
  o.asked = true;
  if (o.deaf || costs_.answer <= 0) return fence(me);
  o.wait.push_back(me);
  set_out(me, stage::asking, costs_.answer);
}

void split_thieves::wait_no_more(id me) {
  owner& o = owners_[thieves_at_[me].victim];
  o.deaf = true;
  std::erase(o.wait, me);
  fence(me);
}

void split_thieves::fence(id me) {
  thieves_at_[me].oldest = at(thieves_at_[me].victim).jobs.taken();
  if (!costs_.fences_queue) return begin_fence(me);
  const double start = std::max(now_, next_fence_);
  next_fence_ = start + fence_time(me);
  set_out(me, stage::queued, start - now_);
}

void split_thieves::begin_fence(id me) {
  interrupt_all();
  set_out(me, stage::fencing, fence_time(me));
}

void split_thieves::go_on_stealing(id me) {
  const thief& t = thieves_at_[me];
  const split_deque& jobs = at(t.victim).jobs;
  switch (t.at) {
    case stage::waking:
      --thieves_;
      return lie_in_wait(me, now_);
    case stage::claiming:
      return jobs.shared() > 0 ? take(me, t.victim) : lose(me);
    case stage::asking:
      return wait_no_more(me);
    case stage::queued:
      return begin_fence(me);
    case stage::fencing: {
      // Another thief may have been quicker, or the owner; or the owner has shared meanwhile.
      const bool still_there = jobs.taken() == t.oldest && !jobs.empty();
      return still_there || jobs.shared() > 0 ? take(me, t.victim) : lose(me);
    }
  }
}

// The owner -----------------------------------------------------------------------------------------------------------

// One that begins while others have nothing to do shares its first job at once.
void split_thieves::began(id me) { owners_[me].trips = thieves_ > 0 || !searching_.empty() || !asleep_.empty(); }

void split_thieves::pushed(id me) {
  owner& o = owners_[me];
  if (how_ == stealing::fence || !(o.asked || o.trips)) return;
  if (o.asked) {
    ++result_.answers;
    o.deaf = false;
  }
  o.asked = o.trips = false;
  at(me).jobs.share();
  // All of them see it. A thief that comes too late has lost.
  for (const id waiting : o.wait) claim(waiting);
  o.wait.clear();
}

void split_thieves::emptied(id victim) {
  for (const id waiting : owners_[victim].wait) {
    ++at(waiting).ticket;  // the end of its patience is called off
    lose(waiting);
  }
  owners_[victim].wait.clear();
}

}  // namespace heist::analysis
