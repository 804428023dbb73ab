#include <heist/measurement.hpp>
#include <heist/sched/metering.hpp>
#include <heist/sched/scheduler.hpp>

namespace heist::detail {

void metering::begin() noexcept {
  meters_.fetch_add(1, std::memory_order_relaxed);
  victims_.for_all([&](seat& s) { greet(s); });
}

void metering::end() noexcept {
  meters_.fetch_sub(1, std::memory_order_relaxed);
  victims_.for_all([&](seat& s) { greet(s); });
}

// Under the victims' lock: if one measurement begins while another ends, the later call here sees
// both.
void metering::greet(seat& s) noexcept {
  meters_.load(std::memory_order_relaxed) > 0 ? s.ask(request::meter) : s.withdraw(request::meter);
}

void metering::count(measurement& m) {
  const statistics s = pool_.stats();
  m.steals += s.steals;
  m.steal_attempts += s.steal_attempts;
  m.suspends += s.suspends;
  m.stack_bytes_peak += s.stack_bytes_peak;
  pool_.seats.for_each([&](const pool_thread& w) { m.workers.push_back({w.strands.get(), static_cast<double>(w.busy_ticks.get())}); });
}

}  // namespace heist::detail
