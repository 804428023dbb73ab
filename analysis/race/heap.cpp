// malloc and its like. A block that is given out is new; a free is a write of all of it.

#include <analysis/race/counts.hpp>
#include <analysis/race/handed.hpp>
#include <analysis/race/interpose.hpp>
#include <analysis/race/owners.hpp>

#include <malloc.h>

#include <cerrno>
#include <cstring>
#include <new>

namespace heist::race {
namespace {

void* given(void* p, std::size_t size, std::uintptr_t code) {
  if (p == nullptr || judged == 0 || size == 0) return p;
  const auto start = reinterpret_cast<std::uintptr_t>(p);
  clear_shadow(start, size);
  the_heap.add(start, size, reinterpret_cast<const void*>(code));
  return p;
}

void taken_back(void* p, std::uintptr_t code) {
  if (p == nullptr || judged == 0) return;
  const auto start = reinterpret_cast<std::uintptr_t>(p);
  heap_blocks::block* const b = the_heap.find(start);
  if (b == nullptr) return;
  const std::size_t size = b->size;
  if (judged > 0) the.free(start, size, code);
  the_heap.remove(*b);
  the.held_locks.retire(start, size);
  forget_counts(start, size);
  forget_handed(start);
}

void* make(std::size_t size, std::uintptr_t code) {
  return given(__libc_malloc(size), size, code);
}
void* make_aligned(std::size_t alignment, std::size_t size, std::uintptr_t code) {
  return given(__libc_memalign(alignment, size), size, code);
}

void* make_or_throw(std::size_t size, std::size_t alignment, std::uintptr_t code) {
  for (;;) {
    void* const p = alignment <= alignof(std::max_align_t) ? make(size == 0 ? 1 : size, code) : make_aligned(alignment, size, code);
    if (p != nullptr) return p;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

}  // namespace
}  // namespace heist::race

using namespace heist::race;

HEIST_RACE_BEFORE void* malloc(std::size_t size) { return make(size, HEIST_RACE_HERE); }
HEIST_RACE_BEFORE void* calloc(std::size_t n, std::size_t size) {
  return given(__libc_calloc(n, size), n * size, HEIST_RACE_HERE);
}
HEIST_RACE_BEFORE void free(void* p) {
  taken_back(p, HEIST_RACE_HERE);
  __libc_free(p);
}
HEIST_RACE_BEFORE void* realloc(void* old, std::size_t size) {
  if (judged == 0) return __libc_realloc(old, size);
  if (old == nullptr) return make(size, HEIST_RACE_HERE);
  const std::size_t before = the_heap.size_of(reinterpret_cast<std::uintptr_t>(old));
  if (before == 0 || size == 0) {  // not one that we have seen
    if (size == 0) taken_back(old, HEIST_RACE_HERE);
    return given(__libc_realloc(old, size), size, HEIST_RACE_HERE);
  }
  void* const fresh = make(size, HEIST_RACE_HERE);
  if (fresh == nullptr) return nullptr;
  const std::size_t n = before < size ? before : size;
  reads(old, n, HEIST_RACE_HERE);
  std::memcpy(fresh, old, n);
  taken_back(old, HEIST_RACE_HERE);
  __libc_free(old);
  return fresh;
}
HEIST_RACE_BEFORE void* reallocarray(void* old, std::size_t n, std::size_t size) {
  std::size_t all;
  if (__builtin_mul_overflow(n, size, &all)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(old, all);
}
HEIST_RACE_BEFORE void* memalign(std::size_t alignment, std::size_t size) { return make_aligned(alignment, size, HEIST_RACE_HERE); }
HEIST_RACE_BEFORE void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return make_aligned(alignment, size, HEIST_RACE_HERE);
}
HEIST_RACE_BEFORE void* valloc(std::size_t size) { return make_aligned(4096, size, HEIST_RACE_HERE); }
HEIST_RACE_BEFORE int posix_memalign(void** to, std::size_t alignment, std::size_t size) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void* const p = make_aligned(alignment, size, HEIST_RACE_HERE);
  if (p == nullptr) return ENOMEM;
  *to = p;
  return 0;
}

#define HEIST_RACE_NEW __attribute__((visibility("default"), weak, noinline))
using aligned = std::align_val_t;

HEIST_RACE_NEW void* operator new(std::size_t n) { return make_or_throw(n, 1, HEIST_RACE_HERE); }
HEIST_RACE_NEW void* operator new[](std::size_t n) { return make_or_throw(n, 1, HEIST_RACE_HERE); }
HEIST_RACE_NEW void* operator new(std::size_t n, aligned a) { return make_or_throw(n, static_cast<std::size_t>(a), HEIST_RACE_HERE); }
HEIST_RACE_NEW void* operator new[](std::size_t n, aligned a) { return make_or_throw(n, static_cast<std::size_t>(a), HEIST_RACE_HERE); }
HEIST_RACE_NEW void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return make(n == 0 ? 1 : n, HEIST_RACE_HERE); }
HEIST_RACE_NEW void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return make(n == 0 ? 1 : n, HEIST_RACE_HERE); }
HEIST_RACE_NEW void* operator new(std::size_t n, aligned a, const std::nothrow_t&) noexcept {
  return make_aligned(static_cast<std::size_t>(a), n, HEIST_RACE_HERE);
}
HEIST_RACE_NEW void* operator new[](std::size_t n, aligned a, const std::nothrow_t&) noexcept {
  return make_aligned(static_cast<std::size_t>(a), n, HEIST_RACE_HERE);
}
#define HEIST_RACE_DELETE(...)                                    \
  HEIST_RACE_NEW void operator delete(__VA_ARGS__) noexcept {     \
    taken_back(p, HEIST_RACE_HERE);                               \
    __libc_free(p);                                               \
  }                                                               \
  HEIST_RACE_NEW void operator delete[](__VA_ARGS__) noexcept {   \
    taken_back(p, HEIST_RACE_HERE);                               \
    __libc_free(p);                                               \
  }
HEIST_RACE_DELETE(void* p)
HEIST_RACE_DELETE(void* p, std::size_t)
HEIST_RACE_DELETE(void* p, aligned)
HEIST_RACE_DELETE(void* p, std::size_t, aligned)
HEIST_RACE_DELETE(void* p, const std::nothrow_t&)
HEIST_RACE_DELETE(void* p, aligned, const std::nothrow_t&)
