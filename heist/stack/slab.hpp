#pragma once
// Places for several stacks, mapped together and unmapped together. See README.md, "Slabs".

#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/stack/stack.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

class slab {
 public:
  // ThreadSanitizer forgets accesses to memory only when it is unmapped, so under it no place is
  // used twice.
#if defined(HEIST_TSAN)
  static constexpr unsigned most_places = 1;
#else
  static constexpr unsigned most_places = 16;
#endif

  // Any thread. Has at most `wanted` places. Null if there is no memory for another stack.
  static slab* map(std::size_t stack_size, std::size_t wanted) noexcept;
  // When none of its stacks is in use.
  static void unmap(slab* s) noexcept;

  // For the thread that has reserved the place. Null if the system refuses a guard.
  stack* make(unsigned place) noexcept;
  // For the thread that has struck the stack off. Hands all its memory back; the addresses stay
  // mapped.
  void unmake(stack* s) noexcept;

  // The rest is for the supply that owns the slab, under its lock.

  bool has_blank() const noexcept { return blank_ != 0; }
  bool has_spare() const noexcept { return spare_ != nullptr; }
  // Whether none of its stacks is in use or being made.
  bool idle() const noexcept { return in_use_ == 0; }
  unsigned spares() const noexcept { return spares_; }

  // Reserves a place for make(). Then call list() or vacate().
  unsigned reserve() noexcept {
    const auto place = static_cast<unsigned>(std::countr_zero(blank_));
    blank_ &= blank_ - 1;
    ++in_use_;
    return place;
  }
  void list(unsigned place) noexcept { made_ |= bit(place); }
  void vacate(unsigned place) noexcept {
    blank_ |= bit(place);
    --in_use_;
  }

  stack* take_spare() noexcept {
    stack* const s = spare_;
    spare_ = s->next.get();
    --spares_;
    ++in_use_;
    return s;
  }
  void give_spare(stack* s) noexcept {
    s->next.set(spare_);
    spare_ = s;
    ++spares_;
    --in_use_;
  }
  // Before unmake() and vacate().
  unsigned strike_off(const stack* s) noexcept {
    const unsigned place = place_of(s);
    made_ &= ~bit(place);
    return place;
  }

  template <class F>
  void for_each_stack(F f) noexcept {
    for (std::uint32_t left = made_; left != 0; left &= left - 1) f(*at(static_cast<unsigned>(std::countr_zero(left))));
  }

  slab* before = nullptr;  // in a list
  slab* after = nullptr;

 private:
  slab(char* mapping, std::size_t stack_size, unsigned places) noexcept;

  static std::uint32_t bit(unsigned place) noexcept { return std::uint32_t{1} << place; }
  std::size_t span() const noexcept { return stack::guard_size + stack_size_; }
  char* lowest(unsigned place) const noexcept { return mapping_ + place * span(); }
  stack* at(unsigned place) const noexcept { return stack::in(lowest(place), stack_size_); }
  unsigned place_of(const stack* s) const noexcept {
    return static_cast<unsigned>(static_cast<std::size_t>(reinterpret_cast<const char*>(s) - mapping_) / span());
  }

  char* const mapping_;
  const std::size_t stack_size_;  // in whole pages, without the guard
  const unsigned places_;
  // Each place is blank, is reserved, or has a stack.
  std::uint32_t blank_;
  std::uint32_t made_ = 0;
  std::atomic<std::uint32_t> guarded_{0};  // places whose guard is there: it stays when the stack's memory goes back
  unsigned in_use_ = 0;        // stacks that are not spare, and reserved places
  stack* spare_ = nullptr;     // stacks that wait for their next use
  unsigned spares_ = 0;
};

// Slabs in a row.
class slab_list {
 public:
  slab* first() const noexcept { return first_; }
  void push_front(slab* s) noexcept {
    s->before = nullptr;
    s->after = first_;
    (first_ != nullptr ? first_->before : last_) = s;
    first_ = s;
  }
  void push_back(slab* s) noexcept {
    s->after = nullptr;
    s->before = last_;
    (last_ != nullptr ? last_->after : first_) = s;
    last_ = s;
  }
  void remove(slab* s) noexcept {
    (s->before != nullptr ? s->before->after : first_) = s->after;
    (s->after != nullptr ? s->after->before : last_) = s->before;
  }

 private:
  slab* first_ = nullptr;
  slab* last_ = nullptr;
};

}  // namespace heist::detail

HEIST_END
