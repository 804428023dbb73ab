#include <heist/base/sanitizer.hpp>
#include <heist/sched/belongings.hpp>

#include <atomic>
#include <cstdint>
#include <utility>

namespace heist::detail {

// Between a child that nobody robbed and the rest of its parent there is an order that ThreadSanitizer does not see: see
// end_child().

belongings& own_belongings() {
  worker& w = *this_worker();
  if (w.own.get() == nullptr) w.own.set(new belongings);
  tsan_acquire(w.own.get());
  return *w.own.get();
}

std::unique_ptr<belongings> give_belongings() noexcept {
  std::unique_ptr<belongings> mine(this_worker()->own.replace(nullptr));
  if (!mine) return mine;
  tsan_acquire(mine.get());
  if (mine->clock) mine->clock->drop();
  return mine;
}

void receive_belongings(std::unique_ptr<belongings> later) noexcept {
  if (!later) return;
  worker* const w = this_worker();
  if (w == nullptr) return later->views.settle();
  if (w->own.get() != nullptr)
    keep_belongings([&] { own_belongings().append(std::move(*later)); });
  else
    w->own.set(later.release());
}

// Reducers ---------------------------------------------------------------------------------------------------------

reducer_base::reducer_base(const view_kind& of, void* own_value)
    : key([] {
        static std::atomic<std::uint64_t> last{0};
        return last.fetch_add(1, std::memory_order_relaxed) + 1;
      }()),
      kind(of),
      first(own_value) {
  if (this_worker() != nullptr) own_belongings().views.add(*this, own_value);
}

reducer_base::~reducer_base() {
  if (this_worker() != nullptr && this_worker()->own.get() != nullptr) own_belongings().views.remove(key);
}

void* find_view(reducer_base& r) {
  if (this_worker() == nullptr) return r.first;
  view_map& mine = own_belongings().views;
  if (void* const known = mine.find(r.key)) return known;
  mine.reserve();  // before there is a view to lose
  void* const fresh = r.kind.make(r);
  mine.add(r, fresh);
  return fresh;
}

}  // namespace heist::detail
