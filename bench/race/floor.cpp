// Empty hooks: what a build for races costs before the detector does anything. Linked before the detector's own (the linker
// is told to take the first).

#include <cstddef>
#include <cstring>

#define EMPTY(name) \
  void name(void*) {}

extern "C" {
void __tsan_init() {}
void __tsan_func_exit() {}
EMPTY(__tsan_func_entry)
#define EMPTY_SIZES(prefix) EMPTY(prefix##1) EMPTY(prefix##2) EMPTY(prefix##4) EMPTY(prefix##8) EMPTY(prefix##16)
#define EMPTY_UNALIGNED(prefix) EMPTY(prefix##2) EMPTY(prefix##4) EMPTY(prefix##8) EMPTY(prefix##16)
EMPTY_SIZES(__tsan_read)
EMPTY_SIZES(__tsan_write)
EMPTY_SIZES(__tsan_read_write)
EMPTY_UNALIGNED(__tsan_unaligned_read)
EMPTY_UNALIGNED(__tsan_unaligned_write)
EMPTY_UNALIGNED(__tsan_unaligned_read_write)
void __tsan_read_range(void*, unsigned long) {}
void __tsan_write_range(void*, unsigned long) {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void* __tsan_memcpy(void* to, const void* from, std::size_t n) { return std::memcpy(to, from, n); }
void* __tsan_memmove(void* to, const void* from, std::size_t n) { return std::memmove(to, from, n); }
void* __tsan_memset(void* to, int value, std::size_t n) { return std::memset(to, value, n); }
}
