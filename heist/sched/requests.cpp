#include <heist/base/fatal.hpp>
#include <heist/check/chaos.hpp>
#include <heist/fence/fence.hpp>
#include <heist/sched/requests.hpp>
#include <heist/sched/scheduler.hpp>

namespace heist::detail {

// model: deque_limit.pml, tripped()
void tripped(worker& w) noexcept {
  auto& s = static_cast<seat&>(w);
  scheduler& pool = s.pool;
  auto end = s.jobs.owner();
  pool.must_be_here();
  end.mark_fenced();
  // order[fence.full]: our bottom before their request, where no heavy fence sees to it
  if (pool.fences.pushers_fence()) full_fence();
  chaos::step(chaos::at::tripped);
  const unsigned asked = s.requests.load(std::memory_order_seq_cst);
  constexpr unsigned standing = static_cast<unsigned>(request::fences) | static_cast<unsigned>(request::meter);
  if (asked != 0 && (asked & ~standing) == 0 && end.has_room()) return;
  if ((asked & static_cast<unsigned>(request::look)) != 0) s.withdraw(request::look);
  if ((asked & static_cast<unsigned>(request::sign)) != 0) {
    // Withdrawn before we ask who sleeps: who lies down later asks again.
    s.withdraw(request::sign);
    chaos::step(chaos::at::withdrawn);
    pool.seats.rouse_one();
  }
  if_there_is_memory("no memory for a larger deque of jobs; the recursion is too deep, or the machine too full",
                     [&] { end.make_room(); });
  chaos::step(chaos::at::room_made);
  // order[deque.trip]: the limit is raised; whoever asked before that is seen here
  if (s.requests.load(std::memory_order_seq_cst) != 0) s.jobs.trip();
}

}  // namespace heist::detail
