#pragma once
// A strand's views of reducers. Protocol: README.md.

#include <heist/base/export.hpp>

#include <cstddef>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

struct reduced;

// What a view_map must know about a reducer's type.
struct view_kind {
  void* (*make)(const reduced& of);  // a new view: the identity
  // left = left ∘ right; right is used up, not destroyed
  void (*merge)(const reduced& of, void* left, void* right) noexcept;
  void (*destroy)(void* view) noexcept;  // one that make() made
};

// A reducer, as its views see it.
struct reduced {
  const std::uint64_t key;  // not 0, and no other's
  const view_kind& kind;
  void* const first;
};

class view_map {
 public:
  view_map() = default;
  HEIST_API ~view_map();
  view_map(const view_map&) = delete;
  view_map& operator=(const view_map&) = delete;

  // The view of the reducer with this key, if it is at the key's first slot; else null.
  void* near(std::uint64_t key) const noexcept {
    const slot& s = slots_[key & mask_];
    return s.key == key ? s.view : nullptr;
  }
  // Null: there is none.
  void* find(std::uint64_t key) const noexcept;
  void add(reduced& r, void* view);
  void reserve();  // the next add() does not throw
  void remove(std::uint64_t key) noexcept;

  // Everything in `right` comes after what is here.
  void append(view_map&& right);
  // Merges the views into the reducers' own values, when there is only one strand.
  void settle() noexcept;

 private:
  struct slot {
    std::uint64_t key = 0;  // 0: free
    void* view = nullptr;
    const view_kind* kind = nullptr;
    reduced* reducer = nullptr;  // null: the view is the reducer's own value
  };

  slot& place_of(std::uint64_t key) noexcept;

  static slot none;  // the table of a map that has none of its own: always free

  slot* slots_ = &none;
  std::uint64_t mask_ = 0;
  std::size_t count_ = 0;
};

}  // namespace heist::detail

HEIST_END
