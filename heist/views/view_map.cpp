#include <heist/base/sanitizer.hpp>
#include <heist/sched/worker.hpp>
#include <heist/views/view_map.hpp>

#include <atomic>
#include <utility>

namespace heist::detail {

view_map::~view_map() {
  for (std::uint64_t i = 0; i <= mask_; ++i)
    if (slots_[i].reducer != nullptr) slots_[i].kind->destroy(slots_[i].view);
}

// Where the key is, or would be put.
view_map::slot& view_map::place_of(std::uint64_t key) noexcept {
  std::uint64_t i = key & mask_;
  while (slots_[i].key != 0 && slots_[i].key != key) i = (i + 1) & mask_;
  return slots_[i];
}

void* view_map::find(std::uint64_t key) const noexcept {
  const slot& s = const_cast<view_map*>(this)->place_of(key);
  return s.key == key ? s.view : nullptr;
}

void view_map::add(reducer_base& r, void* view) {
  reserve();
  place_of(r.key) = {r.key, view, &r.kind, view == r.first ? nullptr : &r};
  ++count_;
}

void view_map::reserve() {
  if (2 * (count_ + 1) <= mask_) return;
  auto old = std::exchange(slots_, std::unique_ptr<slot[]>(new slot[2 * (mask_ + 1)]));
  const std::uint64_t old_mask = std::exchange(mask_, 2 * mask_ + 1);
  for (std::uint64_t i = 0; i <= old_mask; ++i)
    if (old[i].key != 0) place_of(old[i].key) = old[i];
}

void view_map::remove(std::uint64_t key) noexcept {
  slot* hole = &place_of(key);
  if (hole->key != key) return;
  if (hole->reducer != nullptr) hole->kind->destroy(hole->view);
  --count_;
  // Whatever was put past this place because it was taken moves up, so that a search never meets a gap too early.
  for (std::uint64_t i = static_cast<std::uint64_t>(hole - slots_.get());;) {
    i = (i + 1) & mask_;
    slot& s = slots_[i];
    if (s.key == 0) break;
    const auto at = static_cast<std::uint64_t>(hole - slots_.get());
    const std::uint64_t wanted = s.key & mask_;
    if (((i - wanted) & mask_) < ((i - at) & mask_)) continue;
    *hole = s;
    hole = &s;
  }
  *hole = {};
}

void view_map::append(std::unique_ptr<view_map> right) noexcept {
  for (std::uint64_t i = 0; i <= right->mask_; ++i) {
    slot& r = right->slots_[i];
    if (r.key == 0) continue;
    if (slot& mine = place_of(r.key); mine.key == r.key) {
      // The first view comes before all others, so it is never on the right of one: `r` is a view of its own.
      mine.kind->merge(mine.view, r.view);
      continue;
    }
    reserve();
    place_of(r.key) = r;
    r = {};
    ++count_;
  }
}

void view_map::settle() noexcept {
  for (std::uint64_t i = 0; i <= mask_; ++i)
    if (const slot& s = slots_[i]; s.reducer != nullptr) s.kind->merge(s.reducer->first, s.view);
}

reducer_base::reducer_base(const view_kind& of, void* own_value)
    : key([] {
        static std::atomic<std::uint64_t> last{0};
        return last.fetch_add(1, std::memory_order_relaxed) + 1;
      }()),
      kind(of),
      first(own_value) {
  worker* const w = this_worker();
  if (w == nullptr) return;
  if (w->views.get() == nullptr) w->views.set(new view_map);
  tsan_acquire(w->views.get());
  w->views.get()->add(*this, own_value);
}

reducer_base::~reducer_base() {
  worker* const w = this_worker();
  if (w == nullptr || w->views.get() == nullptr) return;
  tsan_acquire(w->views.get());
  w->views.get()->remove(key);
}

void* find_view(reducer_base& r) {
  worker* const w = this_worker();
  if (w == nullptr) return r.first;
  if (w->views.get() == nullptr) w->views.set(new view_map);
  view_map& mine = *w->views.get();
  tsan_acquire(&mine);
  if (void* const known = mine.find(r.key)) return known;
  mine.reserve();  // before there is a view to lose
  void* const fresh = r.kind.make();
  mine.add(r, fresh);
  return fresh;
}

std::unique_ptr<view_map> give_views() noexcept {
  std::unique_ptr<view_map> mine(this_worker()->views.replace(nullptr));
  if (mine) tsan_acquire(mine.get());
  return mine;
}

void receive_views(std::unique_ptr<view_map> later) noexcept {
  if (!later) return;
  worker* const w = this_worker();
  if (w == nullptr) return later->settle();
  if (view_map* const mine = w->views.get()) {
    tsan_acquire(mine);
    mine->append(std::move(later));
  } else {
    w->views.set(later.release());
  }
}

}  // namespace heist::detail
