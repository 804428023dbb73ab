#pragma once
// Whether a block of the heap belongs to the thread: what its variables of the thread own.

#include <cstddef>
#include <cstdint>

namespace heist::race {

// A thread_local container has its elements on the heap. On several workers every thread has a container of its own; in the
// serial run all strands use one. The block at `start` is such an element if it can be reached from the thread's variables,
// and nothing else leads to it: neither a variable of the program, nor another block, nor the stack from `frame` on, which
// is older than the fork.
bool belongs_to_thread(std::uintptr_t start, std::uintptr_t frame);

}  // namespace heist::race
