#pragma once
// Which sanitizer this translation unit is built with: g++ and clang say it differently.

#if defined(__SANITIZE_THREAD__)
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
extern "C" void AnnotateIgnoreWritesBegin(const char* file, int line);
extern "C" void AnnotateIgnoreWritesEnd(const char* file, int line);
#endif

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

// While it lives, ThreadSanitizer does not note what is written: for what belongs to a worker, whose strands run one
// after the other without an edge that it could see.
class tsan_unnoted {
 public:
#if defined(HEIST_TSAN)
  tsan_unnoted() noexcept { AnnotateIgnoreWritesBegin(__FILE__, __LINE__); }
  ~tsan_unnoted() { AnnotateIgnoreWritesEnd(__FILE__, __LINE__); }
#else
  tsan_unnoted() noexcept {}
#endif
  tsan_unnoted(const tsan_unnoted&) = delete;
  tsan_unnoted& operator=(const tsan_unnoted&) = delete;
};

}  // namespace heist::detail
