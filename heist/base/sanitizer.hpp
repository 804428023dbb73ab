#pragma once
// Which sanitizer this translation unit is built with: g++ and clang say it differently.

#include <heist/base/export.hpp>

#if defined(HEIST_RACE)
// The instrumentation is the detector's: analysis/race.
#elif defined(__SANITIZE_THREAD__)
#define HEIST_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HEIST_TSAN 1
#endif
#endif

#if defined(__SANITIZE_ADDRESS__)
#define HEIST_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEIST_ASAN 1
#endif
#endif

#if defined(HEIST_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

HEIST_BEGIN

namespace heist::detail {

// Edges that ThreadSanitizer shall see and that no atomic of ours makes: nothing at all in other builds.
inline void tsan_release([[maybe_unused]] void* what) noexcept {
#if defined(HEIST_TSAN)
  __tsan_release(what);
#endif
}
inline void tsan_acquire([[maybe_unused]] void* what) noexcept {
#if defined(HEIST_TSAN)
  __tsan_acquire(what);
#endif
}

}  // namespace heist::detail

HEIST_END
