#include <heist/base/sanitizer.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/worker.hpp>

#include <utility>

namespace heist::detail {

// If a child's parent was not stolen, the child comes before the rest of its parent, which
// ThreadSanitizer does not see: see this_child::release_to_scope().

void belongings::append(belongings&& later) {
  views.append(std::move(later.views));
  if (!later.clock) return;
  if (clock)
    clock->append(std::move(*later.clock));
  else
    clock = std::move(later.clock);
}

belongings& own_belongings() {
  worker& w = *this_worker();
  if (w.now.own.get() == nullptr) w.now.own.set(new belongings);
  tsan_acquire(w.now.own.get());
  return *w.now.own.get();
}

std::unique_ptr<belongings> give_belongings() noexcept {
  std::unique_ptr<belongings> mine(this_worker()->now.own.replace(nullptr));
  if (!mine) return mine;
  tsan_acquire(mine.get());
  if (mine->clock) mine->clock->drop();
  return mine;
}

void receive_belongings(std::unique_ptr<belongings> later) noexcept {
  if (!later) return;
  worker* const w = this_worker();
  if (w == nullptr) return later->views.settle();
  if (w->now.own.get() != nullptr)
    keep_belongings([&] { own_belongings().append(std::move(*later)); });
  else
    w->now.own.set(later.release());
}

}  // namespace heist::detail
