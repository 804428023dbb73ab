#pragma once
// A processor's deque of threads. Few deques are long: room for eight is in place, so that one of them is one cache line.

#include <analysis/dag/dag.hpp>

#include <cstdint>
#include <memory>

namespace heist::analysis {

class alignas(64) thread_deque {
 public:
  bool empty() const { return size_ == 0; }
  std::uint32_t size() const { return size_; }
  id operator[](std::uint32_t i) const { return slot(i); }  // the i-th from the top
  id top() const { return empty() ? none : slot(0); }
  id bottom() const { return empty() ? none : slot(size_ - 1); }

  void push_bottom(id t) {
    if (size_ == room_) grow();
    slot(size_++) = t;
  }
  id pop_bottom() { return empty() ? none : slot(--size_); }
  id pop_top() {
    if (empty()) return none;
    const id t = slot(0);
    ++first_;
    --size_;
    return t;
  }
  // From anywhere; it is there.
  void erase(id t) {
    std::uint32_t i = 0;
    while (slot(i) != t) ++i;
    for (--size_; i < size_; ++i) slot(i) = slot(i + 1);
  }

 private:
  static constexpr std::uint32_t in_place = 8;

  id* ring() { return room_ == in_place ? near_ : far_.get(); }
  const id* ring() const { return room_ == in_place ? near_ : far_.get(); }
  id& slot(std::uint32_t i) { return ring()[(first_ + i) & (room_ - 1)]; }
  id slot(std::uint32_t i) const { return ring()[(first_ + i) & (room_ - 1)]; }

  void grow() {
    auto larger = std::make_unique<id[]>(2 * room_);
    for (std::uint32_t i = 0; i < size_; ++i) larger[i] = slot(i);
    far_ = std::move(larger);
    room_ *= 2;
    first_ = 0;
  }

  id near_[in_place];
  std::unique_ptr<id[]> far_;
  std::uint32_t first_ = 0, size_ = 0, room_ = in_place;
};

}  // namespace heist::analysis
