#include <heist/measure/hooks.hpp>
#include <heist/measure/stretch.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/strand/seat.hpp>

#include <utility>

namespace heist::detail {

measured_stretch::measured_stretch() {
  belongings& own = own_belongings();
  seat& s = *this_seat();
  try_hooks();
  if (own.clock) end_stretch(*own.clock);
  outer_ = std::exchange(own.clock, strand_clock());
  // Jobs that are in the deque already belong to the strands around this one.
  if (!outer_) s.measured_from.set(s.jobs.owner().next());
  own.clock->begin_depth(depth_here());
  own.clock->begin();
}

strand_clock measured_stretch::take() noexcept {
  taken_ = true;
  belongings& own = own_belongings();
  end_stretch(*own.clock);
  strand_clock inner = std::move(*own.clock);
  own.clock = std::move(outer_);
  seat& s = *this_seat();
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
