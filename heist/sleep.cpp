#include <heist/cancelled.hpp>
#include <heist/sleep.hpp>
#include <heist/wait/wait_queue.hpp>

#include <mutex>

namespace heist::detail {

bool stopped_before(nanoseconds deadline, const std::stop_token& token) {
  if (token.stop_requested()) return true;
  if (deadline <= now()) return false;
  // A queue that nobody serves.
  waiting me;
  wait_queue none;
  std::unique_lock hold(queue_lock(&me));
  return none.await(me, hold, deadline, token) == waking::stop;
}

void sleep_until_over(nanoseconds deadline, const std::stop_token& token) {
  if (stopped_before(deadline, token)) throw cancelled();
}

}  // namespace heist::detail
