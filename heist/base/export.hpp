#pragma once
// What programs must be compiled with, and which symbols they link against. Every header includes this one.

#if __cplusplus < 202002L
#error "heist needs C++20: compile with -std=c++20"
#include "-std=c++20"  // there is none, and that ends it: what follows would be a hundred complaints about the rest
#endif

#if !defined(__cpp_exceptions)
#error "heist carries exceptions from branch to join: compile without -fno-exceptions"
#endif

#include <heist/version.hpp>

// A process may have several copies of heist: in plugins, in extensions of Python, of different versions. What these
// headers put into an object file must stay in the module that the object becomes part of: another module's function of
// the same name calls another library, with workers of its own. So all that stands between HEIST_BEGIN and HEIST_END is
// hidden, unless it says otherwise. tests/modules tries it, and looks that every header has both.
//
//   HEIST_API        a function that the library defines. A static library has it hidden, too.
//   HEIST_TYPE       a class of the interface. Hidden, it would hide every function of the program that has it in its
//                    signature, and g++ would warn of every class that has it as a member. Its name has the version in
//                    it, as templates over it, std::unique_ptr<pool>, are one for all modules that see each other.
//   HEIST_OWN        a member of such a class that is defined in a header. (clang hides them without being told.)
//   HEIST_OWN_VALUE  what such a class has without asking, where that is more than a copy of its bytes. It is no
//                    aggregate any more then.
//   HEIST_VERSIONED  a hidden class that std::vector and its like have functions for which g++ does not hide with it.
//   HEIST_VERSIONED_ENUM  the same for an enum. (clang hides them without being told, and refuses the mark.)
//   HEIST_API_C      HEIST_API with C linkage.
// In a build for races (HEIST_RACE) and in a checked one (HEIST_CHECKED) all these names have a tag of their own: their
// frames are others, so objects of different kinds do not link, and the linker's message has the tag in it.
#if defined(HEIST_STATIC)  // these are the library's own files, and it is static
#define HEIST_API_C __attribute__((visibility("hidden")))
#else
#define HEIST_API_C __attribute__((visibility("default")))
#endif
#if defined(HEIST_RACE)
#define HEIST_KIND "race"
#elif defined(HEIST_CHECKED)
#define HEIST_KIND "checked"
#endif
#if defined(HEIST_KIND)
#define HEIST_API HEIST_API_C __attribute__((abi_tag(HEIST_KIND)))
#else
#define HEIST_API HEIST_API_C
#endif
#define HEIST_OWN __attribute__((visibility("hidden")))

#define HEIST_TEXT_OF(x) #x
#define HEIST_TAG_OF(major, minor) "v" HEIST_TEXT_OF(major) "_" HEIST_TEXT_OF(minor)
#if defined(HEIST_KIND)
#define HEIST_TAG abi_tag(HEIST_TAG_OF(HEIST_VERSION_MAJOR, HEIST_VERSION_MINOR) "_" HEIST_KIND)
#else
#define HEIST_TAG abi_tag(HEIST_TAG_OF(HEIST_VERSION_MAJOR, HEIST_VERSION_MINOR))
#endif
#define HEIST_VERSIONED __attribute__((HEIST_TAG))
#if defined(__clang__)
#define HEIST_VERSIONED_ENUM
#else
#define HEIST_VERSIONED_ENUM HEIST_VERSIONED
#endif
#if defined(HEIST_STATIC)
#define HEIST_TYPE __attribute__((visibility("hidden"), HEIST_TAG))
#elif defined(__clang__)
#define HEIST_TYPE __attribute__((visibility("hidden"), type_visibility("default"), HEIST_TAG))
#else
#define HEIST_TYPE __attribute__((visibility("default"), HEIST_TAG))
#endif

#define HEIST_OWN_VALUE(name)                       \
  HEIST_OWN name() = default;                       \
  HEIST_OWN name(const name&) = default;            \
  HEIST_OWN name(name&&) = default;                 \
  HEIST_OWN name& operator=(const name&) = default; \
  HEIST_OWN name& operator=(name&&) = default;      \
  HEIST_OWN ~name() = default

// g++ warns of a class that can be seen and has something hidden in it: here that is as it should be.
#define HEIST_BEGIN                                                     \
  _Pragma("GCC visibility push(hidden)") _Pragma("GCC diagnostic push") \
  _Pragma("GCC diagnostic ignored \"-Wattributes\"")
#define HEIST_END _Pragma("GCC diagnostic pop") _Pragma("GCC visibility pop")

// The fork path must land in the caller's frame: out of line it would cost a call and a spill of every capture.
#define HEIST_INLINE inline __attribute__((always_inline))

// What runs only after a steal: out of line and away from the hot code.
#define HEIST_COLD __attribute__((noinline, cold))

// Not instrumented by ThreadSanitizer: each use says why.
#define HEIST_NO_TSAN __attribute__((no_sanitize("thread")))
