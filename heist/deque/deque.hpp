#pragma once
// A growable Chase–Lev deque whose owner pays no fence: protocol, invariant and proof are in README.md.

#include <heist/base/cell.hpp>
#include <heist/check/chaos.hpp>
#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/fence/fence.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// What came of one attempt to steal.
enum class theft : unsigned char {
  stolen,  // the item is the thief's
  empty,   // there was nothing
  lost,    // there was something, and somebody else got it, or no fence could be had
};

// The fence that a thief used, for statistics.
enum class theft_fence : unsigned char { none, heavy, full };

// A double-ended queue of pointers. One owner pushes and pops at the bottom; any number of thieves steal at the top.
// The two ends are different types; T must be aligned to at least two bytes, as an item's lowest bit says how its owner
// will pop it.
template <class T>
class deque {
 public:
  using index = std::int64_t;  // never reused: at one steal a nanosecond it lasts 292 years

  class owner_end;
  class thief_end;

  explicit deque(index capacity = 256) : rings_(1) {
    rings_[0] = std::make_unique<ring>(capacity);
    adopt(*rings_[0]);
    limit_.store(capacity - 1, std::memory_order_relaxed);
  }

  owner_end owner() noexcept { return owner_end(*this); }
  thief_end thief() noexcept { return thief_end(*this); }

  // Any thread. The next push reports itself, as if the deque were full.
  // model: deque_limit.pml, ask()
  // order[deque.trip]: after the caller's request; the owner re-reads requests after it raises the limit
  void trip() noexcept { limit_.store(0, std::memory_order_seq_cst); }

  // Any thread. A guess; right if no other thread uses the deque.
  bool seems_empty() const noexcept {
    return top_.load(std::memory_order_relaxed) >= bottom_.load(std::memory_order_relaxed);
  }

  // Owner only. How many items are here, or fewer if thieves are at work.
  index size() const noexcept {
    const index n = bottom_.load(std::memory_order_relaxed) - top_.load(std::memory_order_relaxed);
    return n > 0 ? n : 0;
  }

 private:
  using item = std::uintptr_t;  // a T*, plus 1 if its owner pops it behind a full fence

  struct ring {
    explicit ring(index capacity) : mask(capacity - 1), slots(new std::atomic<item>[static_cast<std::size_t>(capacity)]) {}
    std::atomic<item>& at(index i) const noexcept { return slots[static_cast<std::size_t>(i & mask)]; }
    index mask;
    std::unique_ptr<std::atomic<item>[]> slots;
  };

  void adopt(ring& r) noexcept {
    slots_.set(r.slots.get());
    mask_.set(r.mask);
    tsan_release(&slots_);  // for the next owner: all that the maker did before; more than needed, and rare
    // order[deque.grow]: a thief that sees the new ring sees the items copied into it
    ring_.store(&r, std::memory_order_release);
  }

  // The owner's line: written at every fork, read by thieves that look.
  alignas(cache_line) chaos::late_atomic<index> bottom_{0};
  std::atomic<index> limit_{0};
  cell<std::atomic<item>*> slots_;
  cell<index> mask_;

  // The thieves' line: the owner reads it at every pop and so keeps a copy of it until a steal.
  alignas(cache_line) std::atomic<index> top_{0};
  std::atomic<std::int64_t> thieves_{0};  // attempts between their announcement and their end
  std::atomic<ring*> ring_{nullptr};

  // Old rings stay: a thief may be reading one. Each is half the next, so together they are smaller than the last.
  std::vector<std::unique_ptr<ring>> rings_;
};

// The bottom, for the strand that runs on the owning worker.
// model: deque.pml, owner()
template <class T>
class deque<T>::owner_end {
 public:
  // Owner only. True if that is all; false if the push went past the limit: call make_room() before the next one.
  // model: deque_ops.pml, push(); its limit: deque_limit.pml, push()
  [[nodiscard]] bool push(T* what) noexcept {
    const index b = d_.bottom_.load(std::memory_order_relaxed);
    slot(b).store(reinterpret_cast<item>(what), std::memory_order_relaxed);
    // order[deque.publish]: the thief that sees this bottom sees the slot and what it points to
    d_.bottom_.store(b + 1, std::memory_order_release);
    // order[deque.limit]: who lowers the limit then runs a heavy fence: it sees this bottom, or we see its limit
    light_fence();
    const bool below_limit = b + 1 <= d_.limit_.load(std::memory_order_relaxed);
    chaos::step(chaos::at::pushed);
    return below_limit;
  }

  // Owner only. Takes the last pushed item back if no thief can get it. True if the caller, which
  // knows what it pushed, has it. If false, call settle().
  // model: deque_ops.pml, take_back()
  [[nodiscard]] bool take_back() noexcept {
    const index b = lower();
    // order[deque.last]: who announces itself after our reads of top_ and thieves_ sees this bottom behind its fence
    light_fence();
    const bool ours = nobody_wants(b);
    chaos::step(chaos::at::popped);
    return ours;
  }

  // The same for an item marked by mark_fenced(): thieves run an ordinary fence against it.
  // model: deque_ops.pml, take_back()
  [[nodiscard]] bool take_back_fenced() noexcept {
    const index b = lower();
    // order[deque.last]: as in take_back(), by a fence on each side
    full_fence();
    const bool ours = nobody_wants(b);
    chaos::step(chaos::at::popped);
    return ours;
  }

  // Owner only, after a take_back() that failed. True if we have the item after all; false if it
  // was stolen.
  // model: deque_ops.pml, settle()
  [[nodiscard]] bool settle() noexcept {
    const index b = d_.bottom_.load(std::memory_order_relaxed);
    index t = d_.top_.load(std::memory_order_relaxed);
    // order[deque.claim]: top_ only grows, and whoever moves it past an index has that item
    const bool ours = t == b && d_.top_.compare_exchange_strong(t, b + 1, std::memory_order_seq_cst,
                                                                std::memory_order_relaxed);
    // Empty now. A thief that sees this bottom fails to claim, as top_ has moved: nothing to publish.
    d_.bottom_.store(b + 1, std::memory_order_relaxed);
    chaos::step(chaos::at::settled);
    return ours;
  }

  // Owner only. Pops the item pushed last, for callers that do not keep what they pushed. Null if
  // there is none.
  T* pop() noexcept {
    const index b = d_.bottom_.load(std::memory_order_relaxed) - 1;
    const item last = slot(b).load(std::memory_order_relaxed);
    const bool ours = ((last & fenced) != 0 ? take_back_fenced() : take_back()) || settle();
    return ours ? reinterpret_cast<T*>(last & ~fenced) : nullptr;
  }

  // Owner only. From here to its pop, thieves need no heavy fence for the item pushed last, and its owner a full one.
  // model: deque_ops.pml, mark_fenced()
  void mark_fenced() noexcept {
    std::atomic<item>& last = slot(d_.bottom_.load(std::memory_order_relaxed) - 1);
    // order[deque.mark]: a thief that goes by the mark runs a fence of its own only, and may still see an older item's
    // bottom: with the mark it must see this push, and what the item points to
    last.store(last.load(std::memory_order_relaxed) | fenced, std::memory_order_release);
  }

  // Owner only. The next push reports itself: it will be marked.
  void trip() noexcept { d_.limit_.store(0, std::memory_order_relaxed); }  // its own store is what the push reads

  // Owner only. The index that the next push will have.
  index next() const noexcept { return d_.bottom_.load(std::memory_order_relaxed); }

  // Owner only. What was pushed last and not popped; it may have been stolen, and be gone.
  const void* last() const noexcept {
    return reinterpret_cast<const void*>(slot(next() - 1).load(std::memory_order_relaxed) & ~fenced);
  }

  // Owner only. True if one more push has a slot.
  bool has_room() const noexcept {
    // A stale top_ only errs towards "full".
    return d_.bottom_.load(std::memory_order_relaxed) - d_.top_.load(std::memory_order_relaxed) <= d_.mask_.get();
  }

  // Owner only, after a push that went past the limit. Grows if need be and raises the limit. Whoever may have called
  // trip() must be asked again afterwards.
  // model: deque_limit.pml, tripped()
  void make_room() {
    if (!has_room()) grow();
    // order[deque.trip]: before the requests are read again: a request made before this store is seen, a later one
    // lowers the limit itself
    d_.limit_.store(d_.top_.load(std::memory_order_relaxed) + d_.mask_.get(), std::memory_order_seq_cst);
  }

 private:
  friend class deque;
  static constexpr item fenced = 1;
  explicit owner_end(deque& d) noexcept : d_(d) {}

  std::atomic<item>& slot(index i) const noexcept {
    tsan_acquire(&d_.slots_);  // the ring may be one that another strand of this worker has made
    return d_.slots_.get()[d_.mask_.get() & i];
  }

  index lower() noexcept {
    const index b = d_.bottom_.load(std::memory_order_relaxed) - 1;
    // order[deque.publish]: a thief that sees this bottom sees the items above it, as if it had seen their push
    d_.bottom_.store(b, std::memory_order_release);
    return b;
  }

  // With more items above, ours is out of reach. The last item is ours without a compare-and-swap if no thief is at
  // work; top_ is read again after thieves_, as one may have claimed the item and left since the first read.
  bool nobody_wants(index b) const noexcept {
    if (d_.top_.load(std::memory_order_relaxed) < b) return true;
    chaos::step(chaos::at::top_read);
    // order[deque.leave]: nobody here: the claims of those who were here are in top_
    return d_.thieves_.load(std::memory_order_acquire) == 0 && d_.top_.load(std::memory_order_relaxed) == b;
  }

  // model: deque_ops.pml, grow()
  [[gnu::noinline, gnu::cold]] void grow() {
    tsan_acquire(&d_.slots_);
    const index b = d_.bottom_.load(std::memory_order_relaxed);
    const ring& old = *d_.rings_.back();
    auto bigger = std::make_unique<ring>(2 * (old.mask + 1));
    for (index i = d_.top_.load(std::memory_order_relaxed); i < b; ++i)
      bigger->at(i).store(old.at(i).load(std::memory_order_relaxed), std::memory_order_relaxed);
    d_.rings_.push_back(std::move(bigger));
    chaos::step(chaos::at::growing);
    d_.adopt(*d_.rings_.back());
  }

  deque& d_;
};

// The top, for all other threads.
// model: deque.pml, thief()
template <class T>
class deque<T>::thief_end {
 public:
  struct result {
    theft outcome;
    T* item;  // null unless stolen
    theft_fence fence;
  };

  // Any thread but the owner. `note(index)` is called when the attempt is sure to be fenced and before it is decided: what
  // it reads of the victim is the state in which the victim pushed the item, if the item is then stolen.
  // model: deque_ops.pml, steal()
  template <class Note>
  result steal(Note&& note) noexcept {
    // A plain look first: most victims have nothing, and a fence for those would be wasted.
    if (d_.seems_empty()) return {theft::empty, nullptr, theft_fence::none};

    // order[deque.last]: announced before the fence: the owner sees it, or its bottom is seen behind the fence
    d_.thieves_.fetch_add(1, std::memory_order_seq_cst);
    chaos::step(chaos::at::announced);
    const result r = attempt(note);
    chaos::step(chaos::at::claimed);
    // order[deque.leave]: after the claim: an owner that sees nobody here sees the claim in top_
    d_.thieves_.fetch_sub(1, std::memory_order_release);
    return r;
  }

  result steal() noexcept {
    return steal([](index) {});
  }

 private:
  friend class deque;
  static constexpr item fenced = 1;
  explicit thief_end(deque& d) noexcept : d_(d) {}

  // model: deque_ops.pml, look_before(), fence(), claim()
  template <class Note>
  result attempt(Note& note) noexcept {
    // Before the fence, and not again after it: see README.md, "`top_` is read before the fence".
    // order[deque.claim]: what was claimed before is seen claimed
    index t = d_.top_.load(std::memory_order_acquire);
    if (t >= d_.bottom_.load(std::memory_order_acquire)) return {theft::empty, nullptr, theft_fence::none};

    chaos::step(chaos::at::top_seen);
    // order[deque.grow]: the ring's items
    // order[deque.mark]: if it is marked, the push it belongs to is seen
    const bool light_owner = (d_.ring_.load(std::memory_order_acquire)->at(t).load(std::memory_order_acquire) & fenced) == 0;
    const theft_fence fence = light_owner ? theft_fence::heavy : theft_fence::full;
    if (!light_owner)
      full_fence();
    else if (!heavy_fence())
      return {theft::lost, nullptr, theft_fence::none};

    chaos::step(chaos::at::fenced);
    // order[deque.publish]: the slot and what it points to
    if (t >= d_.bottom_.load(std::memory_order_acquire)) return {theft::empty, nullptr, fence};
    // order[deque.grow]: what was pushed since we looked lies in a ring that may be newer
    // order[deque.mark]: where our first look came before our announcement was seen (ARM), the mark may be a later item's
    const item found = d_.ring_.load(std::memory_order_acquire)->at(t).load(std::memory_order_acquire);
    chaos::step(chaos::at::item_seen);
    // This place now has another item, which its owner pops without a fence: our fence was too
    // weak.
    if ((found & fenced) == 0 && fence == theft_fence::full) return {theft::lost, nullptr, fence};
    // Not before the item is seen: an index is reused after a pop without a claim, and what was
    // read earlier may belong to the former item. From here to the claim the item does not change.
    note(t);
    chaos::step(chaos::at::claiming);
    // order[deque.claim]: one thief, or the owner, moves top_ past t
    if (!d_.top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed))
      return {theft::lost, nullptr, fence};
    return {theft::stolen, reinterpret_cast<T*>(found & ~fenced), fence};
  }

  deque& d_;
};

}  // namespace heist::detail

HEIST_END
