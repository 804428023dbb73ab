#include <heist/sched/mail.hpp>
#include <heist/sched/pool_thread.hpp>

#include <algorithm>

namespace heist::detail {

void mail::put(const letter& l) {
  letters_.push_back(l);
  // Relaxed: a thread that lies down is listed, under the list's lock, before it reads this, and the sender asks the list
  // after it.
  l.to->mail.fetch_add(1, std::memory_order_relaxed);
}

std::optional<letter> mail::take(pool_thread& t) noexcept {
  const auto mine = std::find_if(letters_.begin(), letters_.end(), [&](const letter& l) { return l.to == &t; });
  if (mine == letters_.end()) return std::nullopt;
  const letter taken = *mine;
  letters_.erase(mine);
  t.mail.fetch_sub(1, std::memory_order_relaxed);
  return taken;
}

void mail::give_back(pool_thread& t) noexcept {
  while (const std::optional<letter> back = take(t)) back->unread(*back->what);
}

}  // namespace heist::detail
