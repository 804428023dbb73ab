#pragma once
// What happened at one seat: a bounded list of events. See README.md.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

HEIST_BEGIN

namespace heist::detail {

// How far a theft reached.
enum class reach : unsigned char {
  own_node,
  far,  // from one NUMA node to another
};

struct trace_event {
  // From here on the seat …
  enum class kind : unsigned char {
    rest,          // … is free: its thread has not been started or sleeps, or it is a temporary one
    sleep,         // … has a thread that lay down
    wake,          // … searches: its thread was roused
    get_up,        // … searches: its thread saw work before it slept
    root,          // … runs something that came from outside the pool
    stolen,        // … runs a stolen branch or child
    continuation,  // … continues a strand that it stole
    resume,        // … continues a strand that was parked
    suspend,       // … searches: the strand it ran is parked
    end,           // … searches: what it ran has ended
    region,        // … does what it did before: a region has ended there
    wait,          // likewise: a strand that waited for an event has come there
  };

  // The victim of a run that was not stolen.
  static constexpr unsigned nobody = ~0u;

  nanoseconds at;
  nanoseconds since = 0;       // of a stolen run: when the theft began; of a region or a wait: when it began
  const char* name = nullptr;  // of a region; of a wait, what it was for
  unsigned from = nobody;      // of a stolen run: the victim; of a region or a wait: where it began, 0 outside
  kind what;
  reach over = reach::own_node;  // of a stolen run
};

// The sitter notes its events, and the thread that ends the program reads them, perhaps while
// others still work. Both hold the lock: events are noted on slow paths only, and no other thread
// wants the lock until the end.
class trace_lane {
 public:
  trace_lane(unsigned seat, std::size_t most) : number(seat), most_(most) {}

  // Sitter only.
  void note(trace_event::kind what) noexcept;
  // The next run that is noted was stolen.
  void note_theft(unsigned victim, nanoseconds since, reach over) noexcept;
  // Outside every pool: any thread.
  void note_region(const char* name, unsigned began_at, nanoseconds since) noexcept;
  // Sitter only.
  void note_wait(const char* what, unsigned began_at, nanoseconds since) noexcept;

  struct record {
    std::deque<trace_event> events;
    std::uint64_t dropped = 0;
  };
  // Any thread. Returns everything that was noted; nothing is noted afterwards.
  record close() noexcept;

  const unsigned number;

 private:
  void add(const trace_event& e) noexcept;  // under lock_

  const std::size_t most_;
  std::mutex lock_;
  record seen_;
  bool closed_ = false;
  bool running_ = false;
  unsigned victim_ = trace_event::nobody;  // of a theft whose run was not noted yet
  nanoseconds theft_since_ = 0;
  reach theft_over_ = reach::own_node;
};

}  // namespace heist::detail

HEIST_END
