#pragma once
// A stack in a slab of its own.

#include <heist/stack/slab.hpp>

#include <cstddef>

namespace heist_test {

// Null: the system gives no memory for it.
inline heist::detail::stack* map_stack(std::size_t size) {
  using heist::detail::slab;
  slab* const home = slab::map(size, 1);
  if (home == nullptr) return nullptr;
  const unsigned place = home->reserve();
  heist::detail::stack* const s = home->make(place);
  if (s != nullptr)
    home->list(place);
  else
    slab::unmap(home);
  return s;
}

inline void unmap_stack(heist::detail::stack* s) { heist::detail::slab::unmap(&s->home); }

}  // namespace heist_test
