#include <heist/trace/lane.hpp>

#include <new>
#include <utility>

namespace heist::detail {

using kind = trace_event::kind;

void trace_lane::add(const trace_event& e) noexcept {
  if (closed_) return;
  if (seen_.events.size() == most_) {
    seen_.events.pop_front();
    ++seen_.dropped;
  }
  try {
    seen_.events.push_back(e);
  } catch (const std::bad_alloc&) {
    ++seen_.dropped;
  }
}

void trace_lane::note(kind what) noexcept {
  const std::lock_guard hold(lock_);
  // A worker without work notes an end, but its strand may already have noted that it was parked.
  if (what == kind::end && !running_) return;
  trace_event e{.at = now(), .what = what};
  if (what == kind::stolen || what == kind::continuation) {
    e.from = std::exchange(victim_, trace_event::nobody);
    e.since = theft_since_;
    e.over = std::exchange(theft_over_, reach::own_node);
    if (e.from == trace_event::nobody) e.what = kind::root;  // a child from outside waited in the pool's queue
  }
  running_ = what == kind::root || what == kind::stolen || what == kind::continuation || what == kind::resume;
  add(e);
}

void trace_lane::note_theft(unsigned victim, nanoseconds since, reach over) noexcept {
  const std::lock_guard hold(lock_);
  victim_ = victim;
  theft_since_ = since;
  theft_over_ = over;
}

void trace_lane::note_region(const char* name, unsigned began_at, nanoseconds since) noexcept {
  const std::lock_guard hold(lock_);
  add({.at = now(), .since = since, .name = name, .from = began_at, .what = kind::region});
}

void trace_lane::note_wait(const char* what, unsigned began_at, nanoseconds since) noexcept {
  const std::lock_guard hold(lock_);
  add({.at = now(), .since = since, .name = what, .from = began_at, .what = kind::wait});
}

trace_lane::record trace_lane::close() noexcept {
  const std::lock_guard hold(lock_);
  closed_ = true;
  return std::move(seen_);
}

}  // namespace heist::detail
