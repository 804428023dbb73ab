#pragma once
// The calling strand's clock, if it is measured. See meter/README.md.

#include <heist/base/export.hpp>
#include <heist/strand/worker.hpp>

#include <cstddef>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

class stack;
class strand_clock;

// Null if the calling strand is not measured.
strand_clock* own_clock() noexcept;
HEIST_API HEIST_COLD bool has_clock() noexcept;
HEIST_INLINE bool is_measured() noexcept {
#if defined(HEIST_RACE)
  return false;  // there is no worker
#else
  return this_worker()->now.own.get() != nullptr && has_clock();
#endif
}
// Any thread. The calling strand's clock, brought up to date. Null if nothing is measured here.
strand_clock* touch_own_clock() noexcept;

// The calling strand begins: it gets a clock if its seat says that it is measured.
HEIST_API HEIST_COLD void begin_own_clock() noexcept;
// The calling strand, or one stretch of it, ends: its time is added to its worker's.
HEIST_COLD void end_own_clock() noexcept;
void end_stretch(strand_clock& c) noexcept;

// How deep on a stack an address is: the control block is at the top. Compares addresses only,
// because a strand may be running on the stack.
inline std::size_t depth_of(const stack& k, const void* place) noexcept {
  return reinterpret_cast<std::uintptr_t>(&k) - reinterpret_cast<std::uintptr_t>(place);
}
// The calling strand's depth. For a root on its caller's own stack it is 0, because the start of
// that stack is not known.
std::size_t depth_here() noexcept;

}  // namespace heist::detail

HEIST_END
