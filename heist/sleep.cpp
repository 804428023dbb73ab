#include <heist/cancelled.hpp>
#include <heist/sleep.hpp>
#include <heist/strand/worker.hpp>
#include <heist/wait/wait_queue.hpp>

#include <mutex>

namespace heist::detail {

void sleep_until_over(nanoseconds deadline, const std::stop_token& token) {
  if (token.stop_requested()) throw cancelled();
  if (deadline <= now()) {
    if (this_worker() != nullptr) wait::yield();  // a strand that polls lets others go on
    return;
  }
  // A queue that nobody serves.
  waiting me("a time");
  wait_queue none;
  std::unique_lock hold(queue_lock(&me));
  if (none.await(me, hold, deadline, token) == waking::stop) throw cancelled();
}

}  // namespace heist::detail
