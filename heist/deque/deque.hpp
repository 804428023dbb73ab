#pragma once
// A growable split deque whose owner pays no fence: protocol, invariant and proof are in README.md.

#include <heist/base/cell.hpp>
#include <heist/check/chaos.hpp>
#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/fence/fence.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// What came of one attempt to steal.
enum class steal_result : unsigned char {
  stolen,    // the item is the thief's
  empty,     // there was nothing
  kept,      // there is something, but its owner shares none of it: ask, or steal_kept()
  lost,      // there was something, and somebody else got it
  unfenced,  // the same as kept, and no heavy fence could be had
};

// How much an owner shares of what it has.
enum class portion : unsigned char {
  half,  // the older half, rounded up
  all,   // everything, always: there are no heavy fences, and thieves have no other way
};

// A double-ended queue of pointers. One owner pushes and pops at the bottom; any number of thieves steal at the top.
// Thieves take what is shared; the rest is the owner's alone, unless they pay a heavy fence. The two ends are different
// types.
template <class T>
class deque {
 public:
  using index = std::int64_t;  // never wraps: at one steal a nanosecond it lasts 292 years

  class owner_end;
  class thief_end;

  // An item may be pushed with a tag: the lowest bit of its address. Thieves see the tag before they claim the item, when
  // the item itself may be gone; all others get the address without it.
  static T* tagged(T* item) noexcept { return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(item) | tag); }
  static T* without_tag(T* item) noexcept { return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(item) & ~tag); }
  static bool is_tagged(const T* item) noexcept { return (reinterpret_cast<std::uintptr_t>(item) & tag) != 0; }

  // The index of the oldest item, how many items from there on are shared, and a mark, in one word. The index is cut to 44
  // bits: README.md, "Why one word is enough". The mark: the boundary was raised again after it had come down, with the same
  // oldest item; of the others none is sure to be the one that a thief has seen.
  class boundary {
   public:
    static constexpr int index_bits = 44;
    static constexpr index most_shared = (index{1} << (63 - index_bits)) - 1;

    boundary() noexcept = default;
    boundary(index top, index shared) noexcept
        : word_(static_cast<std::uint64_t>(shared) << index_bits | (static_cast<std::uint64_t>(top) & mask)) {}

    // How many items are shared.
    index shared() const noexcept { return static_cast<index>((word_ & ~mark) >> index_bits); }
    bool marked() const noexcept { return (word_ & mark) != 0; }
    // How far index i lies above the oldest item; below 0: that one is gone.
    index above(index i) const noexcept {
      return static_cast<index>((static_cast<std::uint64_t>(i) - word_) << (64 - index_bits)) >> (64 - index_bits);
    }
    // The oldest item's place in a ring of a power of two.
    std::size_t place() const noexcept { return word_ & mask; }
    // When the oldest item is gone, or the n oldest. There is no mark on what comes next.
    boundary next(index n = 1) const noexcept {
      return boundary(static_cast<index>(word_ + static_cast<std::uint64_t>(n)), shared() > n ? shared() - n : 0);
    }
    // The mark stays.
    boundary sharing(index n) const noexcept {
      boundary to(static_cast<index>(word_), n);
      to.word_ |= word_ & mark;
      return to;
    }
    boundary with_mark() const noexcept {
      boundary to = *this;
      to.word_ |= mark;
      return to;
    }

   private:
    static constexpr std::uint64_t mask = (std::uint64_t{1} << index_bits) - 1;
    static constexpr std::uint64_t mark = std::uint64_t{1} << 63;
    std::uint64_t word_ = 0;
  };

  explicit deque(index capacity = 256) {
    adopt(*new ring(capacity));
    limit_.store(capacity - 1, std::memory_order_relaxed);
  }
  deque(const deque&) = delete;
  deque& operator=(const deque&) = delete;
  ~deque() {
    for (ring* r = ring_.load(std::memory_order_relaxed); r != nullptr;) delete std::exchange(r, r->before);
  }

  owner_end owner() noexcept { return owner_end(*this); }
  thief_end thief() noexcept { return thief_end(*this); }

  // Any thread. The next push reports itself, as if the deque were full.
  // model: deque_limit.pml, ask()
  // order[deque.trip]: after the caller's request; the owner re-reads requests after it raises the limit
  void trip() noexcept { limit_.store(0, std::memory_order_seq_cst); }

  // Any thread. Guesses, right if the other threads rest.
  bool seems_empty() const noexcept {
    const boundary at = top_.load(std::memory_order_relaxed);
    return at.shared() == 0 && at.above(bottom_.load(std::memory_order_relaxed)) <= 0;
  }
  bool seems_shared() const noexcept { return top_.load(std::memory_order_relaxed).shared() > 0; }

  // Owner only. At most so many items are here: thieves may be at work.
  index size() const noexcept {
    const index n = top_.load(std::memory_order_relaxed).above(bottom_.load(std::memory_order_relaxed));
    return n > 0 ? n : 0;
  }

 private:
  static constexpr std::uintptr_t tag = 1;

  struct ring {
    explicit ring(index capacity) : mask(capacity - 1), slots(new std::atomic<T*>[static_cast<std::size_t>(capacity)]) {}
    ring(const ring&) = delete;
    ring& operator=(const ring&) = delete;
    ~ring() { delete[] slots; }
    std::atomic<T*>& at(std::size_t i) const noexcept { return slots[i & static_cast<std::size_t>(mask)]; }
    const index mask;
    std::atomic<T*>* const slots;
    // It stays: a thief may be reading it. Each is half the next, or as large if the first was made anew. So all that stay are
    // together no larger than the last.
    ring* before = nullptr;
  };

  void adopt(ring& r) noexcept {
    slots_.set(r.slots);
    mask_.set(r.mask);
    tsan_release(&slots_);  // for the next owner: all that the maker did before; more than needed, and rare
    // order[deque.grow]: a thief that sees the new ring sees the items copied into it
    ring_.store(&r, std::memory_order_release);
  }

  // Owner or thief: below `to` the owner pops by compare-and-swap.
  // model: deque_ops.pml, raise_guard()
  void raise_guard(index to) noexcept {
    index seen = guard_.load(std::memory_order_relaxed);
    // order[deque.guard]: a thief's comes before its fence; the owner's are its own
    // order[deque.lower]: after the thief has seen the word
    while (seen < to && !guard_.compare_exchange_weak(seen, to, std::memory_order_seq_cst, std::memory_order_relaxed)) {
    }
  }

  // The owner's line: written at every fork, read by thieves that look.
  alignas(cache_line) chaos::late_atomic<index> bottom_{0};
  std::atomic<index> guard_{0};  // items from here on are popped without a fence
  std::atomic<index> limit_{0};
  cell<std::atomic<T*>*> slots_;
  cell<index> mask_;
  cell<portion> shares_{portion::half};
  cell<index> lowered_at_{-1};  // the oldest item's index when the boundary last came down

  // The thieves' line.
  alignas(cache_line) std::atomic<boundary> top_{boundary()};
  std::atomic<ring*> ring_{nullptr};
  static_assert(std::atomic<boundary>::is_always_lock_free);
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
    slot(b).store(what, std::memory_order_relaxed);
    // order[deque.publish]: the thief that sees this bottom sees the slot and what it points to
    d_.bottom_.store(b + 1, std::memory_order_release);
    // order[deque.limit]: a thread lowers the limit, then runs a heavy fence: it sees this bottom, or we see its limit
    light_fence();
    const bool below_limit = b + 1 <= d_.limit_.load(std::memory_order_relaxed);
    chaos::step(chaos::at::pushed);
    return below_limit;
  }

  // Owner only. Takes the last pushed item back if no thief can get it. True if the caller, which
  // knows what it pushed, has it. If false, call settle().
  // model: deque_ops.pml, take_back()
  [[nodiscard]] bool take_back() noexcept {
    const index b = d_.bottom_.load(std::memory_order_relaxed) - 1;
    // order[deque.publish]: a thief that sees this bottom sees the items above it, as if it had seen their push
    d_.bottom_.store(b, std::memory_order_release);
    // order[deque.guard]: a thief that raises the guard after we read it sees this bottom behind its fence
    light_fence();
    const bool ours = d_.guard_.load(std::memory_order_relaxed) <= b;
    chaos::step(chaos::at::popped);
    return ours;
  }

  // Owner only, after a take_back() that failed. True if we have the item after all; false if it
  // was stolen.
  // model: deque_ops.pml, settle()
  [[nodiscard]] bool settle() noexcept {
    const index b = d_.bottom_.load(std::memory_order_relaxed);
    const outcome what = settle_at(b);
    if (what == outcome::ours) return true;
    // Empty now, and the index is used up. A thief that sees this bottom fails to claim, as top_ has moved: nothing to publish.
    d_.bottom_.store(b + 1, std::memory_order_relaxed);
    d_.raise_guard(b + 1);
    chaos::step(chaos::at::settled);
    return what == outcome::last;
  }

  // Owner only. Pops the item pushed last, for callers that do not keep what they pushed. Null if
  // there is none.
  T* pop() noexcept {
    T* const last = slot(d_.bottom_.load(std::memory_order_relaxed) - 1).load(std::memory_order_relaxed);
    return take_back() || settle() ? without_tag(last) : nullptr;
  }

  // Owner only. Lets thieves have so much of what is here, by compare-and-swap.
  // model: deque_ops.pml, share()
  void share(portion p) noexcept {
    d_.shares_.set(p);
    const index b = d_.bottom_.load(std::memory_order_relaxed);
    boundary at = d_.top_.load(std::memory_order_relaxed);
    for (;;) {
      const index here = at.above(b);
      const index wanted = share_of(here);
      if (wanted <= at.shared()) return;
      // The guard first: what thieves may take, we no longer pop without them.
      d_.raise_guard(b - here + wanted);
      chaos::step(chaos::at::sharing);
      boundary to = at.sharing(wanted);
      // Items may have changed below where the boundary goes: thieves must not take several by what they have seen before.
      if (d_.lowered_at_.get() == b - here) to = to.with_mark();
      // order[deque.share]: a thief that sees an item shared sees its slot, the ring, and what it points to
      if (d_.top_.compare_exchange_weak(at, to, std::memory_order_seq_cst, std::memory_order_relaxed)) return;
    }
  }

  // Owner only. The next push reports itself, and is shared.
  void trip() noexcept { d_.limit_.store(0, std::memory_order_relaxed); }  // its own store is what the push reads

  // Owner only. The index that the next push will have.
  index next() const noexcept { return d_.bottom_.load(std::memory_order_relaxed); }

  // Owner only. What was pushed last and not popped; it may have been stolen, and be gone.
  const void* last() const noexcept { return slot(next() - 1).load(std::memory_order_relaxed); }

  // Owner only. True if one more push has a slot.
  bool has_room() const noexcept {
    // A stale top_ only errs towards "full".
    return d_.top_.load(std::memory_order_relaxed).above(next()) <= d_.mask_.get();
  }

  // Owner only, with an empty deque. Makes the ring anew, so that its memory is where the calling thread runs.
  void renew() { replace(*new ring(d_.mask_.get() + 1)); }

  // Owner only, after a push that went past the limit. Grows if need be and raises the limit. Whoever may have called
  // trip() must be asked again afterwards.
  // model: deque_limit.pml, tripped()
  void make_room() {
    if (!has_room()) grow();
    const index oldest = next() - d_.top_.load(std::memory_order_relaxed).above(next());
    // order[deque.trip]: before the requests are read again: a request made before this store is seen, a later one
    // lowers the limit itself
    d_.limit_.store(oldest + d_.mask_.get(), std::memory_order_seq_cst);
  }

 private:
  friend class deque;
  explicit owner_end(deque& d) noexcept : d_(d) {}

  std::atomic<T*>& slot(index i) const noexcept {
    tsan_acquire(&d_.slots_);  // the ring may be one that another strand of this worker has made
    return d_.slots_.get()[d_.mask_.get() & i];
  }

  // Of n items.
  index share_of(index n) const noexcept {
    const index wanted = d_.shares_.get() == portion::all ? n : (n + 1) / 2;
    return wanted < boundary::most_shared ? wanted : boundary::most_shared;
  }

  // What became of the item at b.
  enum class outcome : unsigned char {
    stolen,
    last,  // ours, and there is none left
    ours,  // and older ones are left
  };
  // model: deque_ops.pml, settle()
  outcome settle_at(index b) noexcept {
    // order[deque.lower]: the guard before the word: a thief that raised it had seen a word that we then see, too
    index guard = d_.guard_.load(std::memory_order_acquire);
    boundary at = d_.top_.load(std::memory_order_relaxed);
    for (;;) {
      const index older = at.above(b);
      if (older < 0) return outcome::stolen;
      boundary to = at.next();
      if (older > 0) {
        // The boundary comes down, halfway, and the guard before it: behind it a thief that finds everything taken
        // could take the old guard for one that covers the next item. Not by a store: one may have raised it since.
        to = at.sharing(share_of(older));
        d_.lowered_at_.set(b - older);
        // order[deque.lower]: as above, if it fails; as strong if it succeeds, or some compilers complain
        const bool lowered = d_.guard_.compare_exchange_strong(guard, b - older + to.shared(), std::memory_order_acquire,
                                                               std::memory_order_acquire);
        chaos::step(chaos::at::lowering);
        if (!lowered) {
          at = d_.top_.load(std::memory_order_relaxed);
          continue;
        }
        guard = b - older + to.shared();
      }
      // order[deque.claim]: whoever changes the word, changes it from what it has seen
      if (d_.top_.compare_exchange_strong(at, to, std::memory_order_seq_cst, std::memory_order_relaxed))
        return older > 0 ? outcome::ours : outcome::last;
    }
  }

  // model: deque_ops.pml, grow()
  [[gnu::noinline, gnu::cold]] void grow() {
    tsan_acquire(&d_.slots_);
    const index b = next();
    const ring& old = *d_.ring_.load(std::memory_order_relaxed);
    ring& bigger = *new ring(2 * (old.mask + 1));
    for (index i = b - d_.top_.load(std::memory_order_relaxed).above(b); i < b; ++i) {
      const auto place = static_cast<std::size_t>(i);
      bigger.at(place).store(old.at(place).load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    replace(bigger);
  }

  void replace(ring& by) noexcept {
    by.before = d_.ring_.load(std::memory_order_relaxed);
    chaos::step(chaos::at::growing);
    d_.adopt(by);
  }

  deque& d_;
};

// The top, for all other threads.
// model: deque.pml, thief()
template <class T>
class deque<T>::thief_end {
 public:
  struct result {
    steal_result outcome;
    T* item = nullptr;    // null unless stolen
    bool fenced = false;  // a heavy fence was run
    bool tagged = false;
  };

  // Any thread but the owner: takes the oldest item, if it is shared. `note(boundary)` is called before the attempt is
  // decided: what it reads of the victim is the state in which the victim pushed the item, if the item is then stolen.
  // model: deque_ops.pml, steal()
  template <class Note>
  result steal(Note&& note) noexcept {
    // order[deque.share]: what is shared is seen
    // order[deque.claim]: what was claimed before is seen claimed
    const boundary at = d_.top_.load(std::memory_order_acquire);
    if (at.shared() > 0) return claim(at, note);
    return {at.above(d_.bottom_.load(std::memory_order_relaxed)) > 0 ? steal_result::kept : steal_result::empty};
  }

  // Any thread but the owner: takes the oldest item also if its owner shares none, by a heavy fence.
  // model: deque_ops.pml, steal_kept()
  template <class Note>
  result steal_kept(Note&& note) noexcept {
    // order[deque.share]: what is shared is seen
    const boundary at = d_.top_.load(std::memory_order_acquire);
    if (at.shared() > 0) return claim(at, note);
    const index b = d_.bottom_.load(std::memory_order_relaxed);
    const index here = at.above(b);
    if (here <= 0) return {steal_result::empty};
    // order[deque.guard]: before the fence: the owner sees it, or its bottom is seen behind the fence
    d_.raise_guard(b - here + 1);
    chaos::step(chaos::at::guarded);
    if (!heavy_fence()) return {steal_result::unfenced};
    chaos::step(chaos::at::fenced);
    // order[deque.publish]: the slot and what it points to
    if (at.above(d_.bottom_.load(std::memory_order_acquire)) <= 0) return {steal_result::empty, nullptr, true};
    result r = claim(at, note);
    r.fenced = true;
    return r;
  }

  // What one claim of several items brought.
  struct several {
    steal_result outcome;
    index size = 0;       // 0 unless stolen
    bool fenced = false;  // a heavy fence was run
  };

  // Any thread but the owner: takes the oldest items that are shared, by one claim, and writes them to `into`: at most
  // `most`, and not more than half of what the deque seems to hold. `note(boundary)` as for steal(); it holds for all items.
  // model: deque_ops.pml, steal()
  template <class Note>
  several steal_several(T** into, index most, Note&& note) noexcept {
    // order[deque.share]: what is shared is seen
    const boundary at = d_.top_.load(std::memory_order_acquire);
    if (at.shared() > 0) return claim_all(at, most, into, note);
    return {at.above(d_.bottom_.load(std::memory_order_relaxed)) > 0 ? steal_result::kept : steal_result::empty};
  }

  // Any thread but the owner: the same, also if its owner shares none, by one heavy fence.
  // model: deque_ops.pml, steal_several_kept()
  template <class Note>
  several steal_several_kept(T** into, index most, Note&& note) noexcept {
    // order[deque.share]: what is shared is seen
    const boundary at = d_.top_.load(std::memory_order_acquire);
    if (at.shared() > 0) return claim_all(at, most, into, note);
    const index b = d_.bottom_.load(std::memory_order_relaxed);
    const index here = at.above(b);
    if (here <= 0) return {steal_result::empty};
    const index wanted = std::min((here + 1) / 2, most);
    // order[deque.guard]: as in steal_kept(), over all that is wanted
    d_.raise_guard(b - here + wanted);
    chaos::step(chaos::at::several_guarded);
    if (!heavy_fence()) return {steal_result::unfenced, 0};
    chaos::step(chaos::at::several_fenced);
    // order[deque.publish]: the slots and what they point to
    const index left = at.above(d_.bottom_.load(std::memory_order_acquire));
    if (left <= 0) return {steal_result::empty, 0, true};
    several r = claim_several(at, std::min(wanted, left), into, note);
    r.fenced = true;
    return r;
  }

  // Any thread but the owner. A guess: how many items without a tag are older than the oldest with one. Below 0: there is
  // none with a tag.
  index before_tagged() const noexcept {
    // order[deque.claim]: what was claimed before is not looked at
    const boundary at = d_.top_.load(std::memory_order_acquire);
    const index here = at.above(d_.bottom_.load(std::memory_order_relaxed));
    // order[deque.grow]: the ring's items
    const ring& items = *d_.ring_.load(std::memory_order_acquire);
    for (index i = 0; i < here && i <= items.mask; ++i)
      if (is_tagged(items.at(at.place() + static_cast<std::size_t>(i)).load(std::memory_order_relaxed))) return i;
    return -1;
  }

  result steal() noexcept {
    return steal([](boundary) {});
  }
  result steal_kept() noexcept {
    return steal_kept([](boundary) {});
  }

 private:
  friend class deque;
  explicit thief_end(deque& d) noexcept : d_(d) {}

  // The oldest item, if the word is still what was seen. The item before the note, and the note before the claim: an index
  // is used again after a pop without a claim, and what was read earlier may be of the time of its former occupant.
  // model: deque_ops.pml, claim()
  template <class Note>
  result claim(boundary at, Note& note) noexcept {
    // order[deque.grow]: the ring's items; what was pushed since it grew lies in the newer one
    T* const found = d_.ring_.load(std::memory_order_acquire)->at(at.place()).load(std::memory_order_acquire);
    chaos::step(chaos::at::item_seen);
    note(at);
    chaos::step(chaos::at::claiming);
    // order[deque.claim]: one thief, or the owner, changes the word from what it has seen
    const bool ours = d_.top_.compare_exchange_strong(at, at.next(), std::memory_order_seq_cst, std::memory_order_relaxed);
    chaos::step(chaos::at::claimed);
    if (!ours) return {steal_result::lost};
    return {steal_result::stolen, without_tag(found), false, is_tagged(found)};
  }

  // What is shared, up to half of what there is. With a mark only the oldest item is sure to be the one that was seen.
  // model: deque_ops.pml, claim_all()
  template <class Note>
  several claim_all(boundary at, index most, T** into, Note& note) noexcept {
    const index half = (at.above(d_.bottom_.load(std::memory_order_relaxed)) + 1) / 2;  // a guess: it may be below 1
    const index n = at.marked() ? 1 : std::max(index{1}, std::min({at.shared(), half, most}));
    return claim_several(at, n, into, note);
  }

  // model: deque_ops.pml, claim_all()
  template <class Note>
  several claim_several(boundary at, index n, T** into, Note& note) noexcept {
    // order[deque.grow]: as in claim()
    const ring& slots = *d_.ring_.load(std::memory_order_acquire);
    for (index i = 0; i < n; ++i)
      into[i] = without_tag(slots.at(at.place() + static_cast<std::size_t>(i)).load(std::memory_order_acquire));
    chaos::step(chaos::at::several_seen);
    note(at);
    // order[deque.claim]: as in claim()
    if (!d_.top_.compare_exchange_strong(at, at.next(n), std::memory_order_seq_cst, std::memory_order_relaxed))
      return {steal_result::lost};
    chaos::step(chaos::at::several_claimed);
    return {steal_result::stolen, n};
  }

  deque& d_;
};

}  // namespace heist::detail

HEIST_END
