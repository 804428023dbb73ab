#include <heist/base/fatal.hpp>
#include <heist/base/process.hpp>
#include <heist/cancelled.hpp>
#include <heist/channel.hpp>

namespace heist {

closed_channel::closed_channel() : std::logic_error("heist::closed_channel") {}

const char* closed_channel::what() const noexcept { return "heist: push into a closed channel"; }

namespace detail {

void channel_books::refuse_push() { throw closed_channel(); }

void channel_books::stop() { throw cancelled(); }

void channel_books::close() noexcept {
  woken_list ended;
  {
    const std::lock_guard hold(queue_lock(this));
    is_closed = true;
    ended.add_all(pushers);
    ended.add_all(poppers);
  }
  ended.resume_all();
}

bool channel_books::closed() const noexcept {
  const std::lock_guard hold(queue_lock(this));
  return is_closed;
}

std::size_t channel_books::size() const noexcept {
  const std::lock_guard hold(queue_lock(this));
  return held;
}

void channel_books::end() noexcept {
  // The lock: the one that has woken the strand that destroys the channel may still hold it.
  const std::lock_guard hold(queue_lock(this));
  if (pushers.empty() && poppers.empty()) return;
  if (!in_exit())  // most wait until the process has ended; one with a time-out may wake in what was the channel
    fatal("a heist::channel was destroyed while somebody waits in it; close it, and wait for its users first");
}

}  // namespace detail

}  // namespace heist
