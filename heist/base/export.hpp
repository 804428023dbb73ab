#pragma once
// Symbols that programs link against, and what they must be compiled with. Every public header includes this one.

#if !defined(__cpp_exceptions)
#error "heist carries exceptions from branch to join: compile without -fno-exceptions"
#endif

#define HEIST_API __attribute__((visibility("default")))

// The fork path must land in the caller's frame: out of line it would cost a call and a spill of every capture.
#define HEIST_INLINE inline __attribute__((always_inline))

// What runs only after a steal: out of line and away from the hot code.
#define HEIST_COLD __attribute__((noinline, cold))

// Not instrumented by ThreadSanitizer: each use says why.
#define HEIST_NO_TSAN __attribute__((no_sanitize("thread")))
