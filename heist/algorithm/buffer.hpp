#pragma once
// Scratch space for elements.

#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/range.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace heist::detail {

// What may be assigned to where none has been constructed.
template <class T>
inline constexpr bool needs_no_construction = std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>;

// Room for n objects: all of them exist, or none. Construction and destruction are as parallel as the rest.
template <class T, class How>
class buffer {
 public:
  buffer(const How& how, std::size_t n) : how_(how), size_(n), room_(std::allocator<T>().allocate(n)) {}
  buffer(const buffer&) = delete;
  ~buffer() {
    empty();
    std::allocator<T>().deallocate(room_, size_);
  }

  T* begin() const noexcept { return room_; }

  // Constructs the first n from construct(place, i), which makes the i-th at `place`. If one throws, none exists.
  template <class Construct>
  void fill(std::size_t n, Construct&& construct) {
    if (const std::exception_ptr failed = fill(0, n, construct)) std::rethrow_exception(failed);
    live_ = n;
  }

  // Destroys them.
  void empty() noexcept { destroy(0, std::exchange(live_, 0)); }

 private:
  // Both halves always run: we must know what exists. Returns what was thrown first, and then nothing exists.
  template <class Construct>
  std::exception_ptr fill(std::size_t lo, std::size_t hi, Construct& construct) {
    if (hi - lo <= how_.grain()) {
      std::size_t i = lo;
      try {
        for (; i < hi; ++i) construct(room_ + i, i);
        return nullptr;
      } catch (...) {
        std::destroy(room_ + lo, room_ + i);
        return std::current_exception();
      }
    }
    const std::size_t middle = lo + (hi - lo) / 2;
    auto [left, right] = how_.fork([&, lo, middle] { return fill(lo, middle, construct); },
                                   [&, middle, hi] { return fill(middle, hi, construct); });
    if (!left && !right) return nullptr;
    if (!left) destroy(lo, middle);
    if (!right) destroy(middle, hi);
    return left ? left : right;
  }

  void destroy(std::size_t lo, std::size_t hi) noexcept {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      if (hi - lo <= how_.grain()) {
        std::destroy(room_ + lo, room_ + hi);
        return;
      }
      const std::size_t middle = lo + (hi - lo) / 2;
      how_.fork([this, lo, middle] { destroy(lo, middle); }, [this, middle, hi] { destroy(middle, hi); });
    }
  }

  const How& how_;
  const std::size_t size_;
  T* const room_;
  std::size_t live_ = 0;
};

}  // namespace heist::detail
