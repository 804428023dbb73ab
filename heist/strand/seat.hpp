#pragma once
// A seat: everything of a worker that does not belong to its thread. What belongs to the thread is
// in sched/pool_thread.hpp.

#include <heist/base/cell.hpp>
#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/check/chaos.hpp>
#include <heist/stack/stack.hpp>
#include <heist/strand/thread_record.hpp>
#include <heist/strand/worker.hpp>

#include <atomic>
#include <cstdint>
#include <limits>

HEIST_BEGIN

namespace heist::detail {

class wait;

// What others may request of a worker. It answers at its next fork: a request lowers its deque's
// limit.
enum class request : unsigned {
  wake = 1,        // somebody sleeps: wake one
  share = 2,       // a thief has found nothing shared: let it have half
  share_all = 4,   // share everything, until further notice
  meter = 8,       // fork the cold way, where the meter's hooks are, likewise
  look = 16,       // fork the cold way once, and look whether the strand is wanted, and whether its turn is over
};

class seat : public worker {
 public:
  seat(scheduler& of, const std::atomic<int>& of_pool, thread_record& sitter, unsigned number = 0)
      : worker(of, of_pool), index(number), by(&sitter) {}

  // Any thread.
  // model: deque_limit.pml, ask()
  void ask(request r) noexcept {
    // order[deque.trip]: the request first, then the limit: the owner raises the limit before it reads the requests
    requests.fetch_or(static_cast<unsigned>(r), std::memory_order_seq_cst);
    chaos::step(chaos::at::asked);
    jobs.trip();
  }
  void withdraw(request r) noexcept { requests.fetch_and(~static_cast<unsigned>(r), std::memory_order_seq_cst); }
  bool asked(request r) const noexcept {
    return (requests.load(std::memory_order_relaxed) & static_cast<unsigned>(r)) != 0;
  }

  // Sitter only, before a strand begins: sets the terms on which it runs.
  void accept(const terms& t) noexcept;

  // Sitter only.
  void note(trace_event::kind what) noexcept {
    tsan_acquire(&by);  // as in this_seat()
    if (trace_lane* const lane = by.get()->lane) [[unlikely]]
      lane->note(what);
  }

  const unsigned index;     // among the pool's seats: heist::worker_index()
  cell<thread_record*> by;  // who sits here, or sat here last
  cell<stack*> running;   // null: the native stack of the sitter
  // Jobs from this index on belong to a measured strand. If the index is not `never`, so does the
  // running strand.
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  cell<std::int64_t> measured_from{never};
  // A thief, of the oldest job.
  static bool measures(std::int64_t from, deque<job>::boundary at) noexcept { return from != never && at.above(from) <= 0; }

  cell<unsigned> loops_to_spare;  // how many of the next loops are not shared at once, as the last was too short

  // What thieves and sleepers write, apart from what whoever sits here uses all the time.
  alignas(cache_line) std::atomic<unsigned> requests{0};
  std::atomic<bool> deaf{false};  // it has not answered the last request to share: no need to wait for it again

  // The strand that has left the seat to wait, while its jobs are here; null: somebody sits here, or the seat is not used.
  // Whoever takes it has the seat: the one that continues the strand, or the one that finds the deque empty.
  // See sched/protocols/waits.md.
  std::atomic<wait*> left_by{nullptr};
};

inline seat* this_seat() noexcept {
  auto* const s = static_cast<seat*>(this_worker());
#if defined(HEIST_TSAN)
  if (s != nullptr) tsan_acquire(&s->by);  // every stack that runs here comes after the seat's making: seats::make_seat()
#endif
  return s;
}

}  // namespace heist::detail

HEIST_END
