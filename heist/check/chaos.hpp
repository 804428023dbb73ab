#pragma once
// Pauses at the steps of the protocols, in test builds (HEIST_CHAOS), so that rare interleavings
// become frequent. In other builds a step does nothing, and a late_atomic is a std::atomic. How to
// use it: tests/chaos/README.md.

#include <heist/base/export.hpp>

#include <atomic>
#include <cstdint>
#if defined(HEIST_CHAOS)
#include <mutex>
#endif

HEIST_BEGIN

namespace heist::detail::chaos {

// Where a worker may be made to wait: between two accesses, where others may interfere.
enum class at : unsigned char {
  light_fence,  // the owner, between its store of bottom and what it reads next
  sharing,      // the guard is raised, the boundary is not
  lowering,     // the guard is lowered, the boundary is not
  growing,      // the new ring is filled, not published
  // The thief's end.
  guarded,
  fenced,
  item_seen,
  claiming,
  claimed,
  several_guarded,
  several_fenced,
  several_seen,
  several_claimed,
  // A worker and its requests.
  asked,  // the request is there, the limit is not lowered
  tripped,
  withdrawn,
  room_made,
  // A stolen branch.
  stolen,
  reclaiming,
  suspending,  // still on the stack that is left
  parking,     // on the other one, before anybody is told
  finishing,
  finished,
  // A scope.
  spawning,
  left_parent,
  arriving,
  reckoning,
  reckoned,
  // Roots and seats.
  root_ending,
  root_ended,
  going_home,
  seat_taken,
  seat_returned,
  injected,
  // Searching and sleeping.
  found,
  lying_down,
  listed,
  wakes_asked,
  looked,
  getting_up,
  rousing,
  roused,
  posting,
  leaving,  // a thread that is one too many, before it is sure
  stocking,  // a thief has several jobs in its hands
  robbing,
  // A wait.
  seat_left,       // and not yet offered to the one that resumes
  coming_to_rest,
  resuming,
  made_ready,      // and nobody woken
  giving_up,       // the seat of a strand that waits, by the thief of its last job
  // Elsewhere.
  stack_wanted,
  stack_given,
  mutex_wanted,
  mutex_queued,
  mutex_handed,
  // A store that was held back comes out after these.
  pushed,
  popped,
  settled,
};
inline constexpr unsigned places = static_cast<unsigned>(at::settled) + 1;

#if defined(HEIST_CHAOS)

// What a worker does at a step, before it goes on.
struct decision {
  enum class kind : unsigned char { nothing, spin, yield, sleep } what;
  unsigned amount;  // turns to spin, microseconds to sleep
  bool operator==(const decision&) const = default;
};

// A pure function: the same seed gives the same decisions again.
HEIST_API decision decide(std::uint64_t seed, unsigned worker, std::uint64_t step, at where) noexcept;

// The value of HEIST_CHAOS, read once; null if it is not set: then nothing is disturbed.
HEIST_API const char* seed_text() noexcept;
HEIST_API std::uint64_t seed_of(const char* text) noexcept;

// Any thread, anywhere in a protocol: carries out what next() says.
HEIST_API void step(at where) noexcept;
HEIST_API decision next(at where) noexcept;

// From here on the calling thread's decisions are this worker's. Threads that never call this are
// numbered as they come.
HEIST_API void work_as(unsigned worker) noexcept;

// A store that waits in a buffer, which is longer and slower than any processor's. A full fence of
// its owner, anybody's heavy fence, and some steps release it.
class HEIST_API late {
 public:
  explicit late(std::int64_t value) noexcept;
  ~late();
  late(const late&) = delete;
  late& operator=(const late&) = delete;

  // A thread that has a store of its own in the buffer sees that one.
  std::int64_t load(std::memory_order order) const noexcept;
  void store(std::int64_t value, std::memory_order order) noexcept;

 private:
  friend void drain() noexcept;
  friend void drain_all() noexcept;
  void let_out() noexcept;

  std::atomic<std::int64_t> seen_;
  std::mutex lock_;
  bool holds_ = false;
  std::int64_t held_ = 0;
  std::memory_order order_ = std::memory_order_relaxed;
  late* newer_ = nullptr;  // in the list of all
  late* older_ = nullptr;
};
template <class T>
using late_atomic = late;

HEIST_API void drain() noexcept;      // a full fence of the calling thread
HEIST_API void drain_all() noexcept;  // a heavy fence

#else

HEIST_INLINE void step(at) noexcept {}
HEIST_INLINE void work_as(unsigned) noexcept {}
template <class T>
using late_atomic = std::atomic<T>;
HEIST_INLINE void drain() noexcept {}
HEIST_INLINE void drain_all() noexcept {}

#endif

}  // namespace heist::detail::chaos

HEIST_END
