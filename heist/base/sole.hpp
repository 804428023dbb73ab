#pragma once
// The only owner of an object or an array.

#include <heist/base/export.hpp>

#include <cstddef>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// As std::unique_ptr. Each of those costs the compiler six milliseconds (g++ 12), in every program that includes the header it
// is in; each of these costs half of one.
template <class T>
class HEIST_VERSIONED sole {
 public:
  constexpr sole() noexcept = default;
  constexpr sole(std::nullptr_t) noexcept {}
  explicit sole(T* p) noexcept : p_(p) {}
  sole(sole&& other) noexcept : p_(other.release()) {}
  sole& operator=(sole&& other) noexcept {
    T* const taken = other.release();
    T* const before = p_;
    p_ = taken;
    destroy(before);
    return *this;
  }
  ~sole() { destroy(p_); }

  T* get() const noexcept { return p_; }
  T& operator*() const noexcept { return *p_; }
  T* operator->() const noexcept { return p_; }
  explicit operator bool() const noexcept { return p_ != nullptr; }
  bool operator==(std::nullptr_t) const noexcept { return p_ == nullptr; }

  T* release() noexcept { return std::exchange(p_, nullptr); }
  void reset(T* p = nullptr) noexcept { destroy(std::exchange(p_, p)); }

 private:
  static void destroy(T* p) noexcept {
    static_cast<void>(sizeof(T));  // it must be complete here
    delete p;
  }

  T* p_ = nullptr;
};

template <class T>
class HEIST_VERSIONED sole<T[]> {
 public:
  constexpr sole() noexcept = default;
  constexpr sole(std::nullptr_t) noexcept {}
  explicit sole(T* first) noexcept : p_(first) {}
  sole(sole&& other) noexcept : p_(std::exchange(other.p_, nullptr)) {}
  sole& operator=(sole&& other) noexcept {
    T* const taken = std::exchange(other.p_, nullptr);
    T* const before = p_;
    p_ = taken;
    delete[] before;
    return *this;
  }
  ~sole() { delete[] p_; }

  T* get() const noexcept { return p_; }
  T& operator[](std::size_t i) const noexcept { return p_[i]; }
  explicit operator bool() const noexcept { return p_ != nullptr; }
  bool operator==(std::nullptr_t) const noexcept { return p_ == nullptr; }

  void reset(T* first = nullptr) noexcept { delete[] std::exchange(p_, first); }

 private:
  T* p_ = nullptr;
};

}  // namespace heist::detail

HEIST_END
