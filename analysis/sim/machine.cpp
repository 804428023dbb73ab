#include <analysis/sim/machine.hpp>

#include <analysis/sim/scheduler.hpp>

#include <algorithm>
#include <bit>
#include <ctime>
#include <stdexcept>

namespace heist::analysis {
namespace {

constexpr std::uint32_t most_blocks = 1u << 19;  // of places for threads; half a kilobyte each

// Of this thread: a sweep runs several machines at once, on a computer that has other things to do.
double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

// The joins of a stored dag: how many an instruction still waits for, and which thread it is in.
struct machine::joins {
  explicit joins(const dag& stored)
      : d(stored), pending(d.instructions(), 0), depth(d.instructions(), 0), living(d.threads.size(), none) {
    for (const edge& j : d.joins) ++pending[j.to];
  }
  const dag& d;
  std::vector<std::uint32_t> pending;
  std::vector<std::uint64_t> depth;  // the longest path through a join
  std::vector<id> living;            // the activation of a thread
};

machine::machine(const computation& c, options o)
    : computation_(c), options_(std::move(o)), processors_(options_.processors), deques_(options_.processors), random_(options_.seed) {
  validate(options_);
  spawned_.assign(options_.processors, none);
  kernel_ = make_kernel(options_);
  if (c.stored() != nullptr) joins_ = std::make_unique<joins>(*c.stored());
  switch (options_.policy) {
    case policy::greedy:
    case policy::busy_leaves:
      scheduler_ = make_pool(*this);
      break;
    case policy::work_stealing:
    case policy::help_first:
      scheduler_ = make_stealing(*this);
      break;
    case policy::sharing:
    case policy::static_partition:
      scheduler_ = make_sharing(*this);
      break;
    case policy::depth_first:
      scheduler_ = make_depth_first(*this);
      break;
    case policy::burton_simpson:
      scheduler_ = make_burton_simpson(*this);
      break;
  }
}

machine::~machine() = default;

report machine::run() {
  const double began = cpu_seconds();
  one_by_one_ = !observers_.empty();
  with_origins_ = keeps_origins();
  apart_ = !one_by_one_ && !joins_ && !kernel_ && scheduler_->hands_on_apart();
  if (apart_) outcomes_.resize(options_.processors);
  if (apart_ && is_large() && options_.processors <= most_blocks) {
    places_.give_blocks(options_.processors);
    threads_.resize(places_.all());
  }
  here_ = options_.processors;
  scheduler_->begin(create(0, none, computation_.root(), computation_.root_frame()));
  report_.space = space_;
  report_.leaves = leaves_;
  if (kernel_ && kernel_->next() <= 1) change_processors();
  while (living_ > 0) {
    const std::uint64_t step = next_step(), passed = step - now_;
    report_.granted += passed * here_;
    report_.idle += passed * scheduler_->idle();
    if (scheduler_->idle() == 0) report_.complete += passed;
    report_.wait += passed * scheduler_->waiting();
    now_ = step;
    auto& ending = timetable_.take(step);
    if (is_large()) sort(ending);
    executed_now_ = 0;
    enabled_done_ = 0;
    apart_ ? step_apart(ending) : step_together(ending);
    enabled_.clear();
    scheduler_->end_step();
    report_.space = std::max(report_.space, space_);
    report_.leaves = std::max(report_.leaves, leaves_);
    for (observer* const o : observers_) o->stepped(*this);
    if (kernel_ && kernel_->next() <= now_ + 1) change_processors();
  }
  finish();
  report_.seconds = cpu_seconds() - began;
  return report_;
}

// Large machines are far larger than the caches: what the processors a few places on will need. Inline, always: g++
// takes a function that only prefetches for one without effects, and drops the calls.
[[gnu::always_inline]] inline void machine::fetch(const std::vector<id>& list, std::size_t i) const {
  if (i + 32 >= list.size()) return;
  __builtin_prefetch(&processors_[list[i + 32]], 1);
  __builtin_prefetch(&deques_[list[i + 32]], 1);
  const id soon = list[i + 16];
  for (const id t : {processors_[soon].thread, deques_[soon].bottom(), places_.next(soon)})
    if (t != none) __builtin_prefetch(&threads_[t], 1);
  if (const id t = processors_[list[i + 8]].thread; t != none)
    if (const id parent = threads_[t].parent; parent != none) __builtin_prefetch(&threads_[parent], 1);
}

// First everybody executes, then everybody hands on.
void machine::step_together(std::vector<id>& ending) {
  std::size_t ended = 0;
  for (std::size_t i = 0; i < ending.size(); ++i) {
    fetch(ending, i);
    if (execute(ending[i])) ending[ended++] = ending[i];
  }
  ending.resize(ended);
  for (std::size_t i = 0; i < ending.size(); ++i) {
    fetch(ending, i);
    hand_on(ending[i]);
  }
}

// The same, but each processor is visited once: a large machine does not stay in a cache. Only one that comes to a sync looks
// at what others have executed in this step: it hands on when all have. What comes of it is noted, and done in the usual
// order, so that the run is the same as with step_together().
void machine::step_apart(const std::vector<id>& ending) {
  auto hand_on_noting = [&](id p) {
    noted_ = &outcomes_[p];
    *noted_ = 0;
    hand_on(p);
  };
  for (std::size_t i = 0; i < ending.size(); ++i) {
    fetch(ending, i);
    const id p = ending[i];
    execute(p);
    processors_[p].now.waits ? late_.push_back(p) : hand_on_noting(p);
  }
  for (const id p : late_) hand_on_noting(p);
  late_.clear();
  noted_ = nullptr;
  for (const id p : ending) {
    if (outcomes_[p] == 0)
      scheduler_->out_of_work(p);
    else
      timetable_.add(now_, outcomes_[p] == long_one ? processors_[p].due : now_ + outcomes_[p], p);
  }
}

bool machine::is_large() const { return options_.processors > 4096; }

// Large machines are visited in the order of memory.
void machine::sort(std::vector<id>& list) {
  constexpr std::size_t bits = 64;
  if (list.size() < processors_.size() / bits) return std::sort(list.begin(), list.end());
  members_.assign(processors_.size() / bits + 1, 0);
  for (const id p : list) members_[p / bits] |= std::uint64_t{1} << p % bits;
  std::size_t n = 0;
  for (std::size_t w = 0; w < members_.size(); ++w)
    for (std::uint64_t rest = members_[w]; rest != 0; rest &= rest - 1)
      list[n++] = static_cast<id>(w * bits) + static_cast<id>(std::countr_zero(rest));
}

// When its stretch ends.
void machine::plan(id p, std::uint64_t step) {
  if (noted_ != nullptr)
    *noted_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(step - now_, long_one));
  else
    timetable_.add(now_, step, p);
}

std::uint64_t machine::next_step() const {
  std::uint64_t step = timetable_.first(now_, scheduler_->next_event());
  if (kernel_ && kernel_->next() != kernel::never) step = std::min(step, std::max(kernel_->next() - 1, now_ + 1));
  if (step == ~std::uint64_t{0})
    throw std::logic_error("the simulator is stuck: no processor works, but threads are alive");
  return step;
}

id machine::create(id p, id parent, const seed& s, std::uint32_t frame) {
  const id t = places_.take(p);
  if (t == threads_.size()) threads_.emplace_back();
  activation& a = threads_[t];
  a = {};
  a.next = s;
  a.parent = parent;
  a.stack = frame;
  if (with_origins_) {
    origins_.resize(std::max(origins_.size(), threads_.size()));
    origins_[t] = {created_, none};
    if (parent != none) origins_[parent].last_child = t;
  }
  ++created_;
  ++living_;
  ++leaves_;
  if (parent != none) {
    activation& above = threads_[parent];
    if (above.living++ == 0 && above.state != state::dead) --leaves_;
    above.worked = false;
    a.depth = above.depth;
    a.stack += above.stack;
    a.home = above.home;
  }
  space_ += frame;
  report_.of.stack = std::max(report_.of.stack, a.stack);
  report_.of.frame = std::max<std::uint64_t>(report_.of.frame, frame);
  if (joins_) joins_->living[joins_->d.thread_of[s.a]] = t;
  return t;
}

bool machine::can_run(id t) const {
  const activation& a = threads_[t];
  if (!a.waits) return true;
  return joins_ ? joins_->pending[a.next.a] == 0 : a.living == 0;
}

void machine::start(id p, id t) {
  activation& a = threads_[t];
  processor& q = processors_[p];
  a.state = state::running;
  q.thread = t;
  if (!interrupted_.empty()) {
    if (const auto i = interrupted_.find(t); i != interrupted_.end()) {
      q.now = i->second.now;
      q.due = now_ + i->second.left;
      interrupted_.erase(i);
      plan(p, one_by_one_ ? now_ + 1 : q.due);
      return;
    }
  }
  if (a.waits) a.depth = std::max(a.depth, joins_ ? joins_->depth[a.next.a] : a.waited);
  q.now = computation_.next(a.next);
  q.due = now_ + q.now.length;
  a.waits = q.now.waits;
  plan(p, one_by_one_ ? now_ + 1 : q.due);
}

// Schedulers that look at the order of spawning, letters that name a thread whose place may be another's by then, and
// observers.
bool machine::keeps_origins() const {
  const bool ordered = options_.policy == policy::greedy || options_.policy == policy::busy_leaves ||
                       options_.policy == policy::depth_first || options_.policy == policy::burton_simpson;
  return one_by_one_ || options_.affinity || ordered;
}

std::uint64_t machine::frame(id t) const {
  const activation& a = threads_[t];
  return a.parent == none ? a.stack : a.stack - threads_[a.parent].stack;
}

// The first half of a step: what a processor executes is done before anybody looks at who can go on. False: it was taken
// away since it was noted for this step.
bool machine::execute(id p) {
  processor& q = processors_[p];
  if (q.thread == none || !q.here || (!one_by_one_ && q.due != now_)) return false;
  activation& a = threads_[q.thread];
  ++executed_now_;
  if (one_by_one_) {
    a.worked = true;
    for (observer* const o : observers_) o->executed(*this, p, q.thread);
    if (q.due > now_) return true;
  }
  const id t = q.thread;
  a.depth += q.now.length;
  a.worked = true;
  report_.work += q.now.length;
  report_.of.span = std::max(report_.of.span, a.depth);
  const std::uint64_t depth = a.depth;
  if (q.now.joins)
    for (const edge& j : joins_->d.joins_from(static_cast<id>(a.next.a - 1))) arrive(p, j.to, depth);
  if (q.now.spawns) spawned_[p] = create(p, t, q.now.child, q.now.frame);
  q.due = 0;
  if (q.now.ends) end(p, t);
  return true;
}

void machine::arrive(id p, id instruction, std::uint64_t depth) {
  joins_->depth[instruction] = std::max(joins_->depth[instruction], depth);
  --joins_->pending[instruction];
  const id t = joins_->living[joins_->d.thread_of[instruction]];
  if (t == none) return;
  if (threads_[t].home != p) report_.bytes += options_.join_bytes;
  if (joins_->pending[instruction] == 0 && threads_[t].state == state::stalled && threads_[t].next.a == instruction)
    enabled_.push_back({p, t});
}

void machine::end(id p, id t) {
  activation& a = threads_[t];
  a.state = state::dead;
  space_ -= frame(t);
  --living_;
  if (a.living == 0) --leaves_;
  if (joins_) joins_->living[joins_->d.thread_of[a.next.a - 1]] = none;
  if (a.parent == none) return;
  activation& above = threads_[a.parent];
  if (--above.living == 0 && above.state != state::dead) ++leaves_;
  if (joins_) return;
  above.waited = std::max(above.waited, a.depth);
  if (above.home != p) report_.bytes += options_.join_bytes;
  if (above.living == 0 && above.state == state::stalled) enabled_.push_back({p, a.parent});
}

// A dead thread's place is free when its children's are: a parent may have died first.
void machine::release(id t) {
  while (t != none && threads_[t].state == state::dead && threads_[t].living == 0) {
    places_.give_back(t);
    const id parent = threads_[t].parent;
    threads_[t].living = ~std::uint32_t{0};  // released
    t = parent;
  }
}

// The second half: enabled threads first, then what became of the processor's own.
void machine::hand_on(id p) {
  processor& q = processors_[p];
  if (q.due > now_) {
    timetable_.add(now_, now_ + 1, p);
    return;
  }
  for (; enabled_done_ < enabled_.size() && enabled_[enabled_done_].by == p; ++enabled_done_) {
    threads_[enabled_[enabled_done_].thread].state = state::ready;
    scheduler_->enabled(p, enabled_[enabled_done_].thread);
  }
  const id t = q.thread;
  const stretch& now = q.now;
  const bool ended = now.ends, can_go_on = !ended && (!now.waits || can_run(t));
  if (!ended && !can_go_on) threads_[t].state = state::stalled;
  if (now.spawns) {
    q.thread = none;
    scheduler_->spawned(p, can_go_on ? t : none, spawned_[p]);
  } else if (can_go_on && options_.policy == policy::depth_first) {
    q.thread = none;
    scheduler_->goes_on(p, t);
  } else if (can_go_on) {
    start(p, t);
  } else {
    q.thread = none;
    ended ? scheduler_->died(p, t) : scheduler_->stalled(p, t);
  }
  if (ended) release(t);
}

void machine::change_processors() {
  granted_.resize(processors_.size(), true);
  kernel_->decide(*this, granted_);
  for (id p = 0; p < processors_.size(); ++p)
    if (processors_[p].here && !granted_[p]) take_away(p);
  for (id p = 0; p < processors_.size(); ++p)
    if (!processors_[p].here && granted_[p]) give_back(p);
}

void machine::take_away(id p) {
  processor& q = processors_[p];
  q.here = false;
  --here_;
  if (q.thread != none) q.due -= now_;
  if (options_.keeps()) return;
  const id t = q.thread;
  if (t != none) interrupted_[t] = {q.now, q.due};
  q.thread = none;
  scheduler_->left(p, t);
}

void machine::give_back(id p) {
  processor& q = processors_[p];
  q.here = true;
  ++here_;
  if (!options_.keeps()) return scheduler_->came(p);
  if (q.thread == none) return;
  q.due += now_;
  timetable_.add(now_, one_by_one_ ? now_ + 1 : q.due, p);
}

void machine::finish() {
  report_.time = now_;
  for (std::size_t i = 0; i < report_.quanta.size(); ++i) {
    quantum_record& q = report_.quanta[i];
    const bool last = i + 1 == report_.quanta.size();
    q.steps = (last ? now_ : report_.quanta[i + 1].steps) - q.steps;
    q.worked = (last ? report_.work : report_.quanta[i + 1].worked) - q.worked;
  }
  report_.of.work = report_.work;
  report_.of.threads = created_;
  report_.of.joins = joins_ ? measure(joins_->d).joins : (created_ > 1 ? 1 : 0);
  const std::uint64_t sum = report_.work + report_.steal + report_.wait + report_.idle;
  if (sum != report_.granted) throw std::logic_error("some processor-steps are in no bucket, or in two");
}

}  // namespace heist::analysis
