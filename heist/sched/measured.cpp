#include <heist/sched/belongings.hpp>
#include <heist/sched/measured.hpp>
#include <heist/sched/scheduler.hpp>

#include <memory>
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
  seat& s = *this_seat();
  if (const measuring* const by = s.measured_by.get()) s.own.set(new belongings(*by));
}

void end_measured_strand() noexcept {
  if (strand_clock* const c = own_clock()) end(*c);
}

measured_fork::measured_fork() noexcept {
  strand_clock* const c = own_clock();
  if (c == nullptr) return;
  end(*c);
  start_ = c->fork();
  c->begin();
}

void measured_fork::first_ended() noexcept {
  strand_clock* const c = own_clock();
  if (c == nullptr) return;
  end(*c);
  first_ = c->back_to(start_);
  c->begin();  // if the second branch is ours
}

void measured_fork::joined() noexcept {
  strand_clock* const c = own_clock();
  if (c == nullptr) return;
  end(*c);  // of the second branch, unless it was stolen
  c->join(first_);
  c->begin();
}

void begin_measured_child() noexcept {
  strand_clock* const c = own_clock();
  if (c == nullptr) return;
  end(*c);
  c->open_child();
  c->begin();
}

void end_measured_child(const scope_books& of) noexcept {
  strand_clock* const c = own_clock();
  if (c == nullptr) return;
  end(*c);
  c->close_child(&of);
  c->begin();  // if the parent was not stolen
}

measured_stretch::measured_stretch(measuring& by)
    : outer_(this_seat()->measured_by.get()), outer_own_(this_worker()->own.get()) {
  auto own = std::make_unique<belongings>(by);
  this_worker()->pool.begin_metering();
  if (strand_clock* const c = own_clock()) end(*c);
  this_seat()->measured_by.set(&by);
  this_worker()->own.set(own.release());
  own_clock()->begin();
}

strand_clock measured_stretch::take() noexcept {
  end(*own_clock());
  taken_ = true;
  std::unique_ptr<belongings> inner = give_belongings();
  strand_clock result = *inner->clock;
  seat& s = *this_seat();
  s.measured_by.set(outer_);
  s.own.set(outer_own_);
  s.pool.end_metering();
  if (outer_ == nullptr) inner->clock.reset();
  receive_belongings(std::move(inner));
  if (strand_clock* const c = own_clock()) c->begin();
  return result;
}

measured_stretch::~measured_stretch() {
  if (!taken_) take();
}

}  // namespace heist::detail
