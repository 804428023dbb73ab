#include <heist/views/view_map.hpp>

#include <algorithm>

namespace heist::detail {

constinit view_map::slot view_map::none;

view_map::~view_map() {
  for (std::uint64_t i = 0; i <= mask_; ++i)
    if (slots_[i].reducer != nullptr) slots_[i].kind->destroy(slots_[i].view);
  if (slots_ != &none) delete[] slots_;
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

void view_map::add(reduced& r, void* view) {
  reserve();
  place_of(r.key) = {r.key, view, &r.kind, view == r.first ? nullptr : &r};
  ++count_;
}

void view_map::reserve() {
  if (2 * (count_ + 1) <= mask_) return;
  const std::uint64_t old_mask = mask_;
  slot* const old = slots_;
  const std::uint64_t size = std::max<std::uint64_t>(8, 2 * (mask_ + 1));
  slots_ = new slot[size];
  mask_ = size - 1;
  for (std::uint64_t i = 0; i <= old_mask; ++i)
    if (old[i].key != 0) place_of(old[i].key) = old[i];
  if (old != &none) delete[] old;
}

void view_map::remove(std::uint64_t key) noexcept {
  slot* hole = &place_of(key);
  if (hole->key != key) return;
  if (hole->reducer != nullptr) hole->kind->destroy(hole->view);
  --count_;
  // Entries that were put further on because this place was taken move up, so that a search never
  // meets a gap too early.
  for (std::uint64_t i = static_cast<std::uint64_t>(hole - slots_);;) {
    i = (i + 1) & mask_;
    slot& s = slots_[i];
    if (s.key == 0) break;
    const auto at = static_cast<std::uint64_t>(hole - slots_);
    const std::uint64_t wanted = s.key & mask_;
    if (((i - wanted) & mask_) < ((i - at) & mask_)) continue;
    *hole = s;
    hole = &s;
  }
  *hole = {};
}

void view_map::append(view_map&& right) {
  for (std::uint64_t i = 0; i <= right.mask_; ++i) {
    slot& r = right.slots_[i];
    if (r.key == 0) continue;
    if (slot& mine = place_of(r.key); mine.key == r.key) {
      if (r.reducer != nullptr) {
        mine.kind->merge(*r.reducer, mine.view, r.view);
      } else {
        // The first view comes before all others; only a future can bring it late. There is one.
        mine.kind->merge(*mine.reducer, r.view, mine.view);
        mine.kind->destroy(mine.view);
        mine = r;
        r = {};
      }
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
    if (const slot& s = slots_[i]; s.reducer != nullptr) s.kind->merge(*s.reducer, s.reducer->first, s.view);
}

}  // namespace heist::detail
