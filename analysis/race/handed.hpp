#pragma once
// Values that one call of a user's function returns and another one is given, as in a fold of strings: the calls of an
// algorithm count as parallel to each other, but the second of these comes after the first. A value is known by the blocks of
// the heap that its own bytes point to: by the call that had it last; or, if it was part of a larger value, by the call that
// has made the block.

#include <analysis/race/order.hpp>

#include <cstddef>
#include <cstdint>

namespace heist::race {

// The running call returns this value, or was given it and ends. Only blocks that were made since that instant count.
void hand_on(const void* value, std::size_t size, instant since);
// The running call was given this value: it comes after the call that handed it on.
void take_over(const void* value, std::size_t size);
// The algorithm is over: all its calls have ended.
void forget_makers();

// The block is given back.
extern std::size_t blocks_handed;
void forget_handed_block(std::uintptr_t start);
inline void forget_handed(std::uintptr_t start) {
  if (blocks_handed != 0) forget_handed_block(start);
}

}  // namespace heist::race
