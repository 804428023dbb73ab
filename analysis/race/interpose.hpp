#pragma once
// For functions of the C library that the detector puts itself before.

#include <analysis/race/judge.hpp>
#include <analysis/race/runtime.hpp>

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

#define HEIST_RACE_HERE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
// Weak: a program that has its own keeps it.
#define HEIST_RACE_BEFORE extern "C" __attribute__((visibility("default"), weak, noinline))
// The headers declare some functions in two forms, which are one function. By other names, so that none of them is meant.
#define HEIST_RACE_AS(type, name, ...)                                                                                  \
  extern "C" __attribute__((visibility("default"), weak, noinline)) type heist_race_##name(__VA_ARGS__) __asm__(#name); \
  type heist_race_##name(__VA_ARGS__)

namespace heist::race {

inline void reads(const void* p, std::size_t size, std::uintptr_t code) {
  if (judged > 0 && size > 0) the.access(reinterpret_cast<std::uintptr_t>(p), size, access_kind::read, code);
}
inline void writes(const void* p, std::size_t size, std::uintptr_t code) {
  if (judged > 0 && size > 0) the.access(reinterpret_cast<std::uintptr_t>(p), size, access_kind::write, code);
}

// The function that ours stands before.
template <class F>
F* real(F*& kept, const char* name) {
  if (kept == nullptr) kept = reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
  return kept;
}

}  // namespace heist::race
