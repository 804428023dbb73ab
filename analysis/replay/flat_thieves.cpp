#include <analysis/replay/flat_thieves.hpp>

#include <algorithm>
#include <cmath>

namespace heist::analysis {

// As many as there are jobs, of those that search. Only if nobody searches one that sleeps is woken; it wakes the next
// when it has found something.
void flat_thieves::send_thieves() {
  put_to_sleep();
  while (thieves_ < jobs_ && !searching_.empty()) {
    const auto chosen = random_searcher();
    set_out(*chosen, 0);
    searching_.erase(chosen);
  }
  if (thieves_ > 0 || jobs_ == 0 || asleep_.empty()) return;
  ++result_.wakes;
  set_out(asleep_.back(), waking());
  asleep_.pop_back();
}

void flat_thieves::set_out(id thief, double delay) {
  at(thief).doing = activity::stealing;
  ++thieves_;
  schedule(thief, delay + looking() + costs_.steal);
}

// Looks at random victims, all who search at the same time, until one finds something.
double flat_thieves::looking() {
  const double each = static_cast<double>(victims_.size()) / std::max(1u, workers() - 1);
  const double all = 1 - std::pow(1 - each, static_cast<double>(thieves_ + searching_.size()));
  if (all >= 1) return 0;
  return costs_.look * std::floor(std::log1p(-random_.unit()) / std::log1p(-all));
}

// Whom it robs is drawn when it arrives, near or far; it is longer on its way to one that is far.
void flat_thieves::go_on_stealing(id thief) {
  if (const auto chosen = after_.find(thief); chosen != after_.end()) {
    const id victim = chosen->second;
    after_.erase(chosen);
    return at(victim).jobs.empty() ? lose(thief) : take(thief, victim);
  }
  if (victims_.empty()) return lose(thief);
  const id victim = random_victim(thief);
  if (!far(thief, victim) || costs_.farther.steal <= 0) return take(thief, victim);
  after_[thief] = victim;
  schedule(thief, costs_.farther.steal);
}

}  // namespace heist::analysis
