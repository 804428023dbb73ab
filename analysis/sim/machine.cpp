#include <analysis/sim/machine.hpp>

#include <analysis/sim/scheduler.hpp>

#include <algorithm>
#include <ctime>
#include <stdexcept>

namespace heist::analysis {
namespace {

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
    : computation_(c), options_(std::move(o)), processors_(options_.processors), random_(options_.seed) {
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
  here_ = options_.processors;
  scheduler_->begin(create(none, computation_.root(), computation_.root_frame()));
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
    executed_now_ = 0;
    std::size_t ended = 0;
    for (std::size_t i = 0; i < ending.size(); ++i) {
      fetch(ending, i);
      if (execute(ending[i])) ending[ended++] = ending[i];
    }
    ending.resize(ended);
    enabled_done_ = 0;
    for (std::size_t i = 0; i < ending.size(); ++i) {
      fetch(ending, i);
      hand_on(ending[i]);
    }
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

std::uint64_t machine::next_step() const {
  std::uint64_t step = timetable_.first(now_, scheduler_->next_event());
  if (kernel_ && kernel_->next() != kernel::never) step = std::min(step, std::max(kernel_->next() - 1, now_ + 1));
  if (step == ~std::uint64_t{0})
    throw std::logic_error("the simulator is stuck: no processor works, but threads are alive");
  return step;
}

id machine::create(id parent, const seed& s, std::uint32_t frame) {
  id t;
  if (free_.empty()) {
    t = static_cast<id>(threads_.size());
    threads_.emplace_back();
  } else {
    t = free_.back();
    free_.pop_back();
    threads_[t] = activation{};
  }
  activation& a = threads_[t];
  a.next = s;
  a.frame = frame;
  a.parent = parent;
  a.number = created_++;
  a.stack = frame;
  ++living_;
  ++leaves_;
  if (parent != none) {
    activation& above = threads_[parent];
    if (above.living++ == 0 && above.state != state::dead) --leaves_;
    above.last_child = t;
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
      timetable_.add(now_, one_by_one_ ? now_ + 1 : q.due, p);
      return;
    }
  }
  if (a.waits) a.depth = std::max(a.depth, joins_ ? joins_->depth[a.next.a] : a.waited);
  q.now = computation_.next(a.next);
  q.due = now_ + q.now.length;
  a.waits = q.now.waits;
  timetable_.add(now_, one_by_one_ ? now_ + 1 : q.due, p);
}

// Large machines are far larger than the caches: what the processors a few places on will need.
void machine::fetch(const std::vector<id>& list, std::size_t i) const {
  if (i + 16 >= list.size()) return;
  const char* const q = reinterpret_cast<const char*>(&processors_[list[i + 16]]);
  __builtin_prefetch(q);
  __builtin_prefetch(q + 64);
  if (const id t = processors_[list[i + 8]].thread; t != none) {
    const char* const a = reinterpret_cast<const char*>(&threads_[t]);
    __builtin_prefetch(a);
    __builtin_prefetch(a + 64);
  }
  if (const id t = processors_[list[i + 4]].thread; t != none) {
    if (const id parent = threads_[t].parent; parent != none) __builtin_prefetch(&threads_[parent].waited);
  }
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
  if (q.now.spawns) spawned_[p] = create(t, q.now.child, q.now.frame);
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
  space_ -= a.frame;
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
    free_.push_back(t);
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
