#include <heist/sched/belongings.hpp>
#include <heist/sched/measured.hpp>
#include <heist/sched/scheduler.hpp>

#include <utility>

namespace heist::detail {

namespace {

// The strand has ended: its time is its worker's.
void end(strand_clock& c) noexcept {
  if (!c.running()) return;
  seat& s = *this_seat();
  s.busy_ticks.add(c.end());
  s.strands.add();
}

}  // namespace

void begin_measured_strand() noexcept {
  if (this_seat()->measured_from.get() != seat::never) keep_belongings([] { own_belongings().clock.emplace(); });
}

void end_measured_strand() noexcept {
  if (strand_clock* const c = own_clock()) end(*c);
}

strand_clock* touch_measured_strand() noexcept {
  strand_clock* const c = this_worker() != nullptr ? own_clock() : nullptr;
  if (c != nullptr) this_seat()->busy_ticks.add(c->touch());
  return c;
}

void measured_fork::begin() noexcept {
  strand_clock* const c = own_clock();
  if (c == nullptr) return;
  stage_ = stage::first;
  end(*c);
  start_ = c->fork();
  c->begin();
}

void measured_fork::end_first() noexcept {
  stage_ = stage::second;
  strand_clock& c = *own_clock();
  end(c);
  first_ = c.back_to(start_);
  c.begin();  // if the second branch is ours
}

void measured_fork::end_only() noexcept {
  end_first();
  own_clock()->drop();
}

// After the second branch, which may have been stolen: then the clock does not run. Or after a first branch that threw.
void measured_fork::join() noexcept {
  strand_clock& c = *own_clock();
  end(c);
  if (stage_ == stage::second) c.join(first_);
  c.begin();
}

void begin_measured_child() noexcept {
  strand_clock* const c = own_clock();
  if (c == nullptr) return;
  end(*c);
  keep_belongings([&] { c->open_child(); });
  c->begin();
}

void end_measured_child(const scope_books& of) noexcept {
  strand_clock* const c = own_clock();
  if (c == nullptr) return;
  end(*c);
  keep_belongings([&] { c->close_child(&of); });
  c->begin();  // if the parent was not stolen
}

measured_stretch::measured_stretch() {
  belongings& own = own_belongings();
  seat& s = *this_seat();
  s.pool.begin_metering();
  if (own.clock) end(*own.clock);
  outer_ = std::exchange(own.clock, strand_clock());
  // What lies in the deque was left by strands around this one.
  if (!outer_) s.measured_from.set(s.jobs.owner().next());
  own.clock->begin();
}

strand_clock measured_stretch::take() noexcept {
  taken_ = true;
  belongings& own = own_belongings();
  end(*own.clock);
  strand_clock inner = std::move(*own.clock);
  own.clock = std::move(outer_);
  seat& s = *this_seat();
  s.pool.end_metering();
  if (own.clock) {
    keep_belongings([&] { own.clock->append(strand_clock(inner)); });
    own.clock->begin();
  } else {
    s.measured_from.set(seat::never);
  }
  return inner;
}

measured_stretch::~measured_stretch() {
  if (!taken_) take();
}

}  // namespace heist::detail
