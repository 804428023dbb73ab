#include <heist/meter/calibration.hpp>
#include <heist/sched/belongings.hpp>
#include <heist/sched/hunger.hpp>
#include <heist/sched/measured.hpp>
#include <heist/sched/scheduler.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <utility>

namespace heist::detail {

namespace {

// Of the calling strand. A root on its caller's own stack is not deep: where that begins is not known.
std::size_t depth_here() noexcept {
  const stack* const mine = this_seat()->running.get();
  return mine == nullptr ? 0 : depth_of(*mine, __builtin_frame_address(0));
}

// The strand has ended: its time is its worker's.
void end(strand_clock& c) noexcept {
  c.note_depth(depth_here());
  if (!c.running()) return;
  seat& s = *this_seat();
  s.busy_ticks.add(c.end());
  s.strands.add();
}

// Once for a program: strands that do nothing show what the hooks cost.
void try_hooks() {
  static std::atomic<bool> tried{false};
  if (tried.load(std::memory_order_relaxed) || tried.exchange(true, std::memory_order_relaxed)) return;
  seat& s = *this_seat();
  const std::size_t strands = s.strands.get(), busy = s.busy_ticks.get();
  std::optional<strand_clock>& own = own_belongings().clock;
  std::optional<strand_clock> outer = std::exchange(own, std::nullopt);
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (int batch = 0; batch < 50; ++batch) {
    own.emplace();
    for (int i = 0; i < 64; ++i) {
      measured_fork empty;
      empty.first_ended();
    }
    least = std::min(least, own->work().ticks / own->work().strands);
  }
  own = std::move(outer);
  s.strands.add(strands - s.strands.get());
  s.busy_ticks.add(busy - s.busy_ticks.get());
  empty_strand_ticks.store(least, std::memory_order_relaxed);
}

}  // namespace

void begin_measured_strand() noexcept {
  if (this_seat()->measured_from.get() == seat::never) return;
  keep_belongings([] {
    try_hooks();
    own_belongings().clock.emplace().begin_depth(depth_here());
  });
}

bool has_clock() noexcept { return own_clock() != nullptr; }

void begin_measured_continuation(std::size_t depth) noexcept {
  if (strand_clock* const c = own_clock()) c->begin_depth(depth);
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
  keep_belongings([&] { start_ = c->fork(); });
  c->go_on();
}

void measured_fork::end_first() noexcept {
  stage_ = stage::second;
  strand_clock& c = *own_clock();
  end(c);
  keep_belongings([&] { first_ = c.second(start_); });
  c.go_on();  // if the second branch is ours
}

void measured_fork::end_only() noexcept {
  end_first();
  own_clock()->drop();
}

// After the second branch, which may have been stolen: then the clock does not run. Or after a first branch that threw.
void measured_fork::join() noexcept {
  strand_clock& c = *own_clock();
  const bool was_ours = c.running();
  end(c);
  if (stage_ == stage::second) keep_belongings([&] { c.join(first_); });
  was_ours ? c.go_on() : c.begin();
}

void begin_measured_child(std::size_t parent_depth) noexcept {
  strand_clock* const c = own_clock();
  if (c == nullptr) return;
  end(*c);
  keep_belongings([&] { c->open_child(parent_depth); });
  c->go_on();
}

void end_measured_child(const scope_books& of) noexcept {
  strand_clock* const c = own_clock();
  if (c == nullptr) return;
  end(*c);
  keep_belongings([&] { c->close_child(&of); });
  c->go_on();  // if the parent was not stolen
}

measured_stretch::measured_stretch() {
  belongings& own = own_belongings();
  seat& s = *this_seat();
  try_hooks();
  s.pool.begin_metering();
  if (own.clock) end(*own.clock);
  outer_ = std::exchange(own.clock, strand_clock());
  // What lies in the deque was left by strands around this one.
  if (!outer_) s.measured_from.set(s.jobs.owner().next());
  own.clock->begin_depth(depth_here());
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
