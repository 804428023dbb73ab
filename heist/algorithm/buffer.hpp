#pragma once
// Scratch space for elements.

#include <heist/algorithm/forking.hpp>
#include <heist/base/export.hpp>
#include <heist/cancelled.hpp>
#include <heist/sched/fork.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// Whether a buffer of so many bytes is no burden: a small one, or less than half of the memory that is free.
HEIST_API bool has_memory_for(std::size_t bytes) noexcept;

// Asks the kernel for huge pages, where that pays: fewer faults, and fewer pages to know when elements are
// scattered over all of them.
HEIST_API void expect_much(void* at, std::size_t bytes) noexcept;

// Types that may be assigned to without having been constructed.
template <class T>
inline constexpr bool needs_no_construction = std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>;

// Constructs objects one after the other; destroys them again if one throws.
template <class T>
class constructing {
 public:
  explicit constructing(T* at) noexcept : begin_(at), end_(at) {}
  constructing(const constructing&) = delete;
  ~constructing() { std::destroy(begin_, end_); }

  template <class V>
  void operator()(V&& value) {
    std::construct_at(end_, std::forward<V>(value));
    ++end_;
  }
  void keep() noexcept { begin_ = end_; }

 private:
  T *begin_, *end_;
};

// Room for n objects: either all exist, or none. Construction and destruction are parallel, too.
template <class T, class How>
class buffer {
 public:
  buffer(const How& how, std::size_t n) : how_(how), size_(n), room_(std::allocator<T>().allocate(n)) {
    expect_much(static_cast<void*>(room_), n * sizeof(T));
  }
  buffer(const buffer&) = delete;
  ~buffer() {
    empty();
    std::allocator<T>().deallocate(room_, size_);
  }

  T* begin() const noexcept { return room_; }
  std::size_t room() const noexcept { return size_; }

  // Constructs objects in pieces, in an empty buffer: start(k) is where piece k starts, and make(k,
  // add) calls add with each of its values in turn. If something throws, no object exists. Pieces after
  // the one that failed are not begun.
  template <class Start, class Make>
  void fill(std::size_t first, std::size_t last, const Start& start, const Make& make) {
    if (first == last) return;
    if (const std::exception_ptr failed = fill_pieces(first, last, start, make)) std::rethrow_exception(failed);
    live_ = start(last) - start(first);
  }

  // In make(k, add), between stretches of work: throws if a piece before k has failed.
  void check(std::size_t piece) const {
    if (failed_.load(std::memory_order_relaxed) < piece) throw cancelled();
  }

  // Destroys them.
  void empty() noexcept { destroy(0, std::exchange(live_, 0)); }

 private:
  // Both halves always run, because we must know what exists. Returns what was thrown first; then
  // nothing exists. A piece is given up only if one to the left of it failed: that one's exception wins.
  template <class Start, class Make>
  [[gnu::noinline]] std::exception_ptr fill_pieces(std::size_t first, std::size_t last, const Start& start, const Make& make) {
    if (last - first == 1) {
      try {
        check(first);
        constructing<T> add(room_ + start(first));
        make(first, add);
        add.keep();
        return nullptr;
      } catch (...) {
        std::size_t before = failed_.load(std::memory_order_relaxed);
        while (first < before && !failed_.compare_exchange_weak(before, first, std::memory_order_relaxed)) {
        }
        return carry_exception();
      }
    }
    const std::size_t middle = first + (last - first) / 2;
    auto [left, right] = how_.fork([&, first, middle] { return fill_pieces(first, middle, start, make); },
                                   [&, middle, last] { return fill_pieces(middle, last, start, make); });
    if (!left && !right) return nullptr;
    if (!left) destroy(start(first), start(middle));
    if (!right) destroy(start(middle), start(last));
    return left ? left : right;
  }

  [[gnu::noinline]] void destroy(std::size_t lo, std::size_t hi) noexcept {
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
  std::atomic<std::size_t> failed_ = ~std::size_t{0};  // the first piece that did, as far as is known
};

}  // namespace heist::detail

HEIST_END
