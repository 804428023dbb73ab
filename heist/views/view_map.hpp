#pragma once
// A strand's views of reducers. Protocol: README.md.

#include <heist/base/export.hpp>

#include <cstddef>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

struct reducer_base;

// What a view_map must know of a reducer's type.
struct view_kind {
  void* (*make)(const reducer_base& of);  // a new view: the identity
  // left = left ∘ right; right is used up, not destroyed
  void (*merge)(const reducer_base& of, void* left, void* right) noexcept;
  void (*destroy)(void* view) noexcept;  // one that make() made
};

// A reducer, as its views see it.
struct reducer_base {
  HEIST_API explicit reducer_base(const view_kind& of, void* own_value);  // the calling strand has the first view
  HEIST_API ~reducer_base();
  reducer_base(const reducer_base&) = delete;
  reducer_base& operator=(const reducer_base&) = delete;

  const std::uint64_t key;
  const view_kind& kind;
  void* const first;
};

class view_map {
 public:
  view_map() = default;
  HEIST_API ~view_map();
  view_map(const view_map&) = delete;
  view_map& operator=(const view_map&) = delete;

  // The view of the reducer with this key if it lies where most do; else null.
  void* near(std::uint64_t key) const noexcept {
    const slot& s = slots_[key & mask_];
    return s.key == key ? s.view : nullptr;
  }
  // Null: there is none.
  void* find(std::uint64_t key) const noexcept;
  void add(reducer_base& r, void* view);
  void reserve();  // the next add() does not throw
  void remove(std::uint64_t key) noexcept;

  // All that `right` has comes after what this has.
  void append(view_map&& right);
  // Into the reducers' own values: for the one strand there is.
  void settle() noexcept;

 private:
  struct slot {
    std::uint64_t key = 0;  // 0: free
    void* view = nullptr;
    const view_kind* kind = nullptr;
    reducer_base* reducer = nullptr;  // null: the view is the reducer's own value
  };

  slot& place_of(std::uint64_t key) noexcept;

  static slot none;  // the table of a map that has none of its own: always free

  slot* slots_ = &none;
  std::uint64_t mask_ = 0;
  std::size_t count_ = 0;
};

// The calling strand's view, made if need be.
HEIST_API HEIST_COLD void* find_view(reducer_base& r);

}  // namespace heist::detail

HEIST_END
