#include <heist/strand/belongings.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/strand/seat.hpp>
#include <heist/strand/strand.hpp>

namespace heist::detail {

namespace {
constexpr trace_event::kind event_of(beginning how) noexcept {
  switch (how) {
    case beginning::root: return trace_event::kind::root;
    case beginning::branch: return trace_event::kind::stolen;
    case beginning::continuation: break;
  }
  return trace_event::kind::continuation;
}
}  // namespace

void strand::begin(beginning how, const part& of) noexcept {
  seat& s = *this_seat();
  s.note(event_of(how));
  if (stack* const mine = s.running.get()) mine->part_of.set(of);
  s.look_at_next_fork();
  begin_own_clock();
}

strand strand::depart() noexcept {
  this_worker()->now.mode.set(fp_mode::current());
  pause();
  return this_worker()->take_strand();
}

void strand::pause() noexcept {
  seat& s = *this_seat();
  s.by.get()->suspends.add();
  s.note(trace_event::kind::suspend);
}

void strand::arrive() const noexcept {
  seat& s = *this_seat();
  s.now = *this;
  if (stack* const mine = s.running.get()) mine->moves.set(mine->moves.get() + 1);
  s.measured_from.set(own_clock() != nullptr ? s.jobs.owner().next() : seat::never);
  go_on();
}

void strand::go_on() noexcept {
  worker& w = *this_worker();
  w.now.mode.get().apply();
  w.look_at_next_fork();
}

std::unique_ptr<belongings> strand::end() noexcept {
  end_own_clock();
  return give_belongings();
}

}  // namespace heist::detail
