#include <analysis/replay/as_dag.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

namespace heist::analysis {
namespace {

using kind = recorded_step::kind;

class builder {
 public:
  builder(const recorded_run& run, double ns_per_step)
      : ns_per_step_(ns_per_step), of_scopes_(run.scopes), synced_(run.scopes) {
    for (const recorded_step& s : run.steps)
      if (s.what == kind::sync) synced_[s.number] = true;
    begin();
  }

  void add(const recorded_step& s, std::uint32_t at) {
    switch (s.what) {
      case kind::strand:
        return work(s.ns);
      case kind::fork:
      case kind::child:
        return spawn_and_enter();
      case kind::second:
        branches_[s.number] = end();
        return;
      case kind::join:
        return wait_for({branches_[s.number]});
      case kind::child_end:
      case kind::later_end: {
        const id child = end();
        (synced_[s.number] ? of_scopes_[s.number] : current().children).push_back(child);
        return;
      }
      case kind::queued:
        waiting_[s.other] = spawn();
        return;
      case kind::later:
        open_.push_back(waiting_.at(at));
        return;
      case kind::sync:
        return sync(s.number);
    }
  }

  dag finish() {
    while (!open_.empty()) end();
    dag d;
    d.threads.resize(threads_.size());
    for (id t = 0; t < threads_.size(); ++t) {
      d.threads[t] = {fmt::format("t{}", t), d.instructions(), static_cast<id>(threads_[t].items.size())};
      for (const item& i : threads_[t].items) {
        d.thread_of.push_back(t);
        d.durations.push_back(i.steps);
        d.spawns.push_back(i.child);
      }
    }
    for (id t = 0; t < threads_.size(); ++t) {
      for (id k = 0; k < threads_[t].items.size(); ++k) {
        const item& i = threads_[t].items[k];
        if (i.child != none) d.threads[i.child].spawner = d.threads[t].first + k;
        for (const id child : i.waits_for) d.joins.push_back({d.last(child), d.threads[t].first + k});
      }
    }
    d.sort_joins();
    return d;
  }

 private:
  struct item {
    std::uint32_t steps;
    id child = none;
    std::vector<id> waits_for;  // threads
  };
  struct thread {
    std::vector<item> items;
    std::uint64_t steps = 0;    // of the strand that is not an item yet
    std::vector<id> waits_for;  // what its next item does
    std::vector<id> children;   // of scopes that no sync waits for
  };

  thread& current() { return threads_[open_.back()]; }

  id begin() {
    threads_.emplace_back();
    if (open_.empty()) open_.push_back(0);
    return static_cast<id>(threads_.size() - 1);
  }

  void work(double ns) {
    const double steps = std::max(0.0, std::floor(ns / ns_per_step_ + rest_));
    rest_ += ns / ns_per_step_ - steps;
    current().steps += static_cast<std::uint64_t>(steps);
  }

  // `steps` of what has been worked, or one that is made up for later.
  void put(std::uint64_t steps, id child = none) {
    constexpr std::uint64_t most = 1'000'000'000;
    if (++instructions_ > 1u << 24)
      throw bad_input("the recording has more than 2^24 strands: record it with a larger --grain, or use --collapse");
    thread& t = current();
    for (; steps > most; steps -= most) {
      t.items.push_back({static_cast<std::uint32_t>(most), none, std::move(t.waits_for)});
      t.waits_for.clear();
    }
    if (steps == 0) rest_ -= 1;
    t.items.push_back({static_cast<std::uint32_t>(std::max<std::uint64_t>(steps, 1)), child, std::move(t.waits_for)});
    t.waits_for.clear();
  }

  // An instruction that waits does not spawn.
  id spawn() {
    const id child = begin();
    std::uint64_t steps = std::exchange(current().steps, 0);
    if (!current().waits_for.empty()) {
      put(steps);
      steps = 0;
    }
    put(steps, child);
    return child;
  }

  void spawn_and_enter() { open_.push_back(spawn()); }

  // The instruction right after a spawn does not wait.
  void wait_for(std::vector<id> children) {
    thread& t = current();
    if (t.steps > 0 || (!t.items.empty() && t.items.back().child != none && t.waits_for.empty()))
      put(std::exchange(t.steps, 0));
    t.waits_for.insert(t.waits_for.end(), children.begin(), children.end());
  }

  // Any strand may have spawned them.
  void sync(std::uint32_t scope) {
    std::vector<id> those = std::exchange(of_scopes_[scope], {});
    if (!those.empty()) wait_for(std::move(those));
  }

  // A thread ends after its children.
  id end() {
    thread& t = current();
    std::vector<id> left = std::exchange(t.children, {});
    if (!left.empty()) wait_for(std::move(left));
    if (t.steps > 0 || t.items.empty() || !t.waits_for.empty() || t.items.back().child != none)
      put(std::exchange(t.steps, 0));
    const id ended = open_.back();
    open_.pop_back();
    return ended;
  }

  double ns_per_step_, rest_ = 0;  // rest: steps that were worked and are in no item
  std::vector<thread> threads_;
  std::vector<std::vector<id>> of_scopes_;  // children that have ended
  std::vector<bool> synced_;                // scopes: at some time
  std::vector<id> open_;
  std::uint64_t instructions_ = 0;
  std::unordered_map<std::uint32_t, id> branches_;  // by fork: the thread of its first branch
  std::unordered_map<std::uint32_t, id> waiting_;   // by the step where it runs: a queued child
};

// A branch with its fork, or a child: what collapse() may make a strand of.
struct part {
  std::uint32_t from, to;  // steps, both included
  double work;
};

std::vector<part> parts_of(const recorded_run& run) {
  std::vector<double> before{0};
  for (const recorded_step& s : run.steps) before.push_back(before.back() + (s.what == kind::strand ? s.ns : 0.0));
  std::vector<part> parts;
  for (std::uint32_t i = 0; i < run.steps.size(); ++i) {
    const recorded_step& s = run.steps[i];
    if (s.what != kind::fork && s.what != kind::child && s.what != kind::later) continue;
    const std::uint32_t to = s.what == kind::fork ? run.steps[s.other].other : s.other;
    parts.push_back({i, to, before[to + 1] - before[i]});
  }
  return parts;
}

}  // namespace

dag to_dag(const recorded_run& run, double ns_per_step) {
  builder b(run, ns_per_step);
  for (std::uint32_t i = 0; i < run.steps.size(); ++i) b.add(run.steps[i], i);
  return b.finish();
}

std::size_t threads_of(const recorded_run& run) { return parts_of(run).size() + 1; }

recorded_run collapse(const recorded_run& run, std::size_t most_threads) {
  std::vector<part> parts = parts_of(run);
  const std::size_t kept = most_threads > 0 ? most_threads - 1 : 0;
  if (parts.size() <= kept) return run;
  // What contains a part has at least its work, and comes before it: so it is kept if the part is.
  std::stable_sort(parts.begin(), parts.end(), [](const part& a, const part& b) { return a.work > b.work; });
  std::vector<std::uint32_t> end_of(run.steps.size(), 0);  // of a part that becomes a strand
  std::vector<bool> gone(run.steps.size(), false);         // queued children that do
  for (auto p = parts.begin() + static_cast<std::ptrdiff_t>(kept); p != parts.end(); ++p) end_of[p->from] = p->to;
  for (const recorded_step& s : run.steps)
    if (s.what == kind::queued && end_of[s.other] > 0) gone[static_cast<std::size_t>(&s - run.steps.data())] = true;
  recorded_run out = run;
  out.steps.clear();
  std::vector<std::uint32_t> moved(run.steps.size(), 0);
  for (std::uint32_t i = 0; i < run.steps.size(); ++i) {
    if (gone[i]) continue;
    moved[i] = static_cast<std::uint32_t>(out.steps.size());
    if (end_of[i] == 0) {
      out.steps.push_back(run.steps[i]);
      continue;
    }
    double ns = 0, forks = 0;
    for (const std::uint32_t end = end_of[i]; i <= end; ++i) {
      if (run.steps[i].what == kind::strand) ns += run.steps[i].ns, forks += run.steps[i].number;
      if (run.steps[i].what == kind::fork || run.steps[i].what == kind::child) ++forks;
    }
    --i;
    recorded_step strand{.what = kind::strand};
    strand.ns = static_cast<float>(ns);
    strand.number = static_cast<std::uint32_t>(std::min(forks, double{std::numeric_limits<std::uint32_t>::max()}));
    out.steps.push_back(strand);
  }
  for (recorded_step& s : out.steps)
    if (s.what != kind::strand && s.what != kind::join && s.what != kind::sync) s.other = moved[s.other];
  return out;
}

}  // namespace heist::analysis
