#pragma once
// Places for the items of heist::deque, which a thief may read while the owner writes the next one into it.

#include <heist/base/export.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

template <class T>
inline constexpr bool lies_in_slot = std::is_trivially_copyable_v<T> && sizeof(T) <= 64;

// Values whose bytes may be copied: a copy may be torn, and is thrown away then.
template <class T>
class deque_slot {
  static constexpr std::size_t words = (sizeof(T) + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);

 public:
  using content = std::array<std::uint64_t, words>;

  static content make(T&& item) noexcept {
    content c{};
    std::memcpy(c.data(), std::addressof(item), sizeof(T));
    return c;
  }
  static std::optional<T> take(const content& c) noexcept {
    alignas(T) std::array<std::byte, sizeof(T)> bytes;
    std::memcpy(bytes.data(), c.data(), sizeof(T));
    return std::bit_cast<T>(bytes);
  }

  content load() const noexcept {
    content c;
    for (std::size_t i = 0; i < words; ++i) c[i] = words_[i].load(std::memory_order_relaxed);
    return c;
  }
  void store(const content& c) noexcept {
    for (std::size_t i = 0; i < words; ++i) words_[i].store(c[i], std::memory_order_relaxed);
  }

 private:
  std::array<std::atomic<std::uint64_t>, words> words_{};
};

// All others: the slot has the address of the item.
template <class T>
  requires(!lies_in_slot<T>)
class deque_slot<T> {
 public:
  using content = T*;

  static content make(T&& item) { return std::make_unique<T>(std::move(item)).release(); }
  static std::optional<T> take(content c) {
    const std::unique_ptr<T> item(c);
    return std::optional<T>(std::move(*item));
  }

  content load() const noexcept { return at_.load(std::memory_order_relaxed); }
  void store(content c) noexcept { at_.store(c, std::memory_order_relaxed); }

 private:
  std::atomic<T*> at_{nullptr};
};

// A power of two of them. An index is met again after so many others.
template <class T>
class HEIST_VERSIONED deque_ring {
 public:
  using content = typename deque_slot<T>::content;

  explicit deque_ring(std::size_t size) : mask_(size - 1), slots_(std::make_unique<deque_slot<T>[]>(size)) {}
  std::size_t size() const noexcept { return mask_ + 1; }
  content at(std::int64_t i) const noexcept { return slots_[index(i)].load(); }
  void set(std::int64_t i, const content& c) noexcept { slots_[index(i)].store(c); }

 private:
  std::size_t index(std::int64_t i) const noexcept { return static_cast<std::size_t>(i) & mask_; }

  const std::size_t mask_;
  const std::unique_ptr<deque_slot<T>[]> slots_;
};

}  // namespace heist::detail

HEIST_END
