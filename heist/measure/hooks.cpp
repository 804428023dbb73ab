#include <heist/measure/hooks.hpp>
#include <heist/meter/calibration.hpp>
#include <heist/meter/clock.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/strand/seat.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace heist::detail {

// Measures strands that do nothing.
void try_hooks() noexcept {
  static std::atomic<bool> tried{false};
  if (tried.load(std::memory_order_relaxed) || tried.exchange(true, std::memory_order_relaxed)) return;
  thread_record& s = *this_seat()->by.get();
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

void begin_measured_continuation(std::size_t depth) noexcept {
  if (strand_clock* const c = own_clock()) c->begin_depth(depth);
}

void measured_fork::begin() noexcept {
  strand_clock* const c = own_clock();
  if (c == nullptr) return;
  stage_ = stage::first;
  end_stretch(*c);
  keep_belongings([&] { start_ = c->fork(); });
  c->go_on();
}

void measured_fork::end_first() noexcept {
  stage_ = stage::second;
  strand_clock& c = *own_clock();
  end_stretch(c);
  keep_belongings([&] { first_ = c.second(start_); });
  c.go_on();  // if the second branch is ours
}

void measured_fork::end_only() noexcept {
  end_first();
  own_clock()->drop();
}

// After the second branch, or after a first branch that threw. If the second was stolen, the clock
// does not run.
void measured_fork::join() noexcept {
  strand_clock& c = *own_clock();
  const bool was_ours = c.running();
  end_stretch(c);
  if (stage_ == stage::second) keep_belongings([&] { c.join(first_); });
  was_ours ? c.go_on() : c.begin();
}

void begin_measured_child(std::size_t parent_depth) noexcept {
  strand_clock* const c = own_clock();
  if (c == nullptr) return;
  end_stretch(*c);
  keep_belongings([&] { c->open_child(parent_depth); });
  c->go_on();
}

void end_measured_child(const scope_books& of) noexcept {
  strand_clock* const c = own_clock();
  if (c == nullptr) return;
  end_stretch(*c);
  keep_belongings([&] { c->close_child(&of); });
  c->go_on();  // if the parent was not stolen
}

}  // namespace heist::detail
