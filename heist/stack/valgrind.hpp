#pragma once
// Tells valgrind about stacks, with a few instructions that do nothing elsewhere. The build needs
// valgrind's headers; running needs nothing. Without them, or with -DNVALGRIND, valgrind is told
// nothing. For .cpp files.

#include <heist/base/export.hpp>

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(low, high) 0u
#define VALGRIND_STACK_DEREGISTER(id) static_cast<void>(0)
#define VALGRIND_MAKE_MEM_DEFINED(at, bytes) static_cast<void>(0)
#define VALGRIND_DISABLE_ADDR_ERROR_REPORTING_IN_RANGE(at, bytes) static_cast<void>(0)
#define VALGRIND_ENABLE_ADDR_ERROR_REPORTING_IN_RANGE(at, bytes) static_cast<void>(0)
#endif

#include <cstddef>

HEIST_BEGIN

namespace heist::detail {

// From here on a stack pointer that moves into these bytes has switched stacks, and not grown by
// megabytes.
inline unsigned valgrind_knows_stack([[maybe_unused]] const void* low, [[maybe_unused]] const void* high) noexcept {
  return static_cast<unsigned>(VALGRIND_STACK_REGISTER(low, high));
}
inline void valgrind_forgets_stack([[maybe_unused]] unsigned id) noexcept { VALGRIND_STACK_DEREGISTER(id); }

// Memory has been handed back: it is as freshly mapped.
inline void valgrind_sees_mapped([[maybe_unused]] const void* at, [[maybe_unused]] std::size_t bytes) noexcept {
  static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(at, bytes));
}

// Allows a read of bytes below the stack pointer, which memcheck would report.
inline void valgrind_allows([[maybe_unused]] const void* at, [[maybe_unused]] std::size_t bytes) noexcept {
  VALGRIND_DISABLE_ADDR_ERROR_REPORTING_IN_RANGE(at, bytes);
}
inline void valgrind_forbids([[maybe_unused]] const void* at, [[maybe_unused]] std::size_t bytes) noexcept {
  VALGRIND_ENABLE_ADDR_ERROR_REPORTING_IN_RANGE(at, bytes);
}

}  // namespace heist::detail

HEIST_END
