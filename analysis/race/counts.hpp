#pragma once
// Order that programs make by other means than forks: counts of owners, whose last one destroys what the others have used;
// things done once; and what the program says itself.

#include <cstddef>
#include <cstdint>

namespace heist::race {

// A count of owners at this address has gone down by one. The last owner comes after all the others, until it leaves the
// function in which it counted: then it has destroyed what they owned together.
void count_down(const void* count, bool last);
// Whether such an order holds, and ends when the depth of calls goes below.
inline std::size_t counts_until = 0;
inline bool counts_hold(std::size_t depth) noexcept { return depth < counts_until; }
void end_counts(std::size_t depth);

// A thing that is done once, and known by the address of its guard: all others come after it, and only after it.
void begin_once(const void* guard);
void end_once(const void* guard);
void abandon_once();  // it threw: the next one does it again
void after_guard(const void* guard);

// Annotations: everything before the release comes before what follows the acquire.
void release(const void* what);
void acquire(const void* what);
// The memory is given back: what was known of its addresses is not true of the next owner's.
void forget_counts(std::uintptr_t from, std::size_t size);
// The same for what lay on the stack of a strand that has ended.
bool releases_on_stack() noexcept;
void forget_stack_counts(std::uintptr_t low, std::uintptr_t high);

}  // namespace heist::race
