// The functions that g++ and clang call with -fsanitize=thread, as ThreadSanitizer's library has them.

#include <analysis/race/calls.hpp>
#include <analysis/race/counts.hpp>
#include <analysis/race/judge.hpp>
#include <analysis/race/runtime.hpp>

#include <heist/race/detector.hpp>

#include <cstdint>
#include <cstring>

using namespace heist::race;

#define HERE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
#define FUNCTION extern "C" __attribute__((visibility("default"), noinline))

namespace {

// Not inlined, and called last: so the usual cases need no room on the stack.
__attribute__((noinline)) void slowly(std::uintptr_t a, std::size_t size, access_kind kind, std::uintptr_t code) {
  if (judged <= 0) return;
  static_cast<void>(the.code_numbers.number(code));  // the usual cases need one
  the.access(a, size, kind, code);
}

// What may begin a sweep, or is no part of the one that is open.
template <std::size_t size, access_kind kind>
__attribute__((noinline)) void maybe_swept(std::uintptr_t a, std::uintptr_t code) {
  if (!sweeps::touched(table_of<size, kind>, a, size, kind, code)) slowly(a, size, kind, code);
}

// At a multiple of four, and within one block of cells.
template <std::size_t size>
inline __attribute__((always_inline)) bool usual(std::uintptr_t a) {
  constexpr unsigned aligned = size < 8 ? size - 1 : 7;
  return (static_cast<unsigned>(a) & aligned) == 0 && (size <= 8 || a % block_size <= block_size - size);
}

// Four, eight or sixteen bytes that no open sweep touches next. In three steps, so that the first ones need no room on the stack.
template <std::size_t words>
__attribute__((noinline)) void read_first(std::uintptr_t a, std::uintptr_t code) {
  constexpr std::size_t size = 4 * words;
  if (judged != 1) [[unlikely]] return slowly(a, size, access_kind::read, code);
  if (sweeps::matters<size, access_kind::read>(a, code)) return maybe_swept<size, access_kind::read>(a, code);
  if (!in_whole_block(a) && the.read_quickly<words>(shadow_of(a), a, code)) [[likely]] return;
  slowly(a, size, access_kind::read, code);
}
template <std::size_t words>
__attribute__((noinline)) void read_unswept(std::uintptr_t a, std::uintptr_t code) {
  if (usual<4 * words>(a)) [[likely]] {
    if (the.has_read<words>(shadow_of(a))) [[likely]] return;
    return read_first<words>(a, code);
  }
  slowly(a, 4 * words, access_kind::read, code);
}
template <std::size_t words>
__attribute__((noinline)) void write_first(std::uintptr_t a, std::uintptr_t code) {
  constexpr std::size_t size = 4 * words;
  if (judged != 1) [[unlikely]] return slowly(a, size, access_kind::write, code);
  if (sweeps::matters<size, access_kind::write>(a, code)) return maybe_swept<size, access_kind::write>(a, code);
  if (!in_whole_block(a) && the.write_quickly<words>(shadow_of(a), a, code)) [[likely]] return;
  slowly(a, size, access_kind::write, code);
}
template <std::size_t words>
__attribute__((noinline)) void write_unswept(std::uintptr_t a, std::uintptr_t code) {
  if (usual<4 * words>(a)) [[likely]] {
    if (the.has_written<words>(shadow_of(a))) [[likely]] return;
    return write_first<words>(a, code);
  }
  slowly(a, 4 * words, access_kind::write, code);
}
template <std::size_t words>
inline __attribute__((always_inline)) void read_words(void* p, std::uintptr_t code) {
  const auto a = reinterpret_cast<std::uintptr_t>(p);
  if (!sweeps::goes_on<4 * words, access_kind::read>(a, code)) read_unswept<words>(a, code);
}
template <std::size_t words>
inline __attribute__((always_inline)) void write_words(void* p, std::uintptr_t code) {
  const auto a = reinterpret_cast<std::uintptr_t>(p);
  if (!sweeps::goes_on<4 * words, access_kind::write>(a, code)) write_unswept<words>(a, code);
}
// One or two bytes.
template <std::size_t size>
inline __attribute__((always_inline)) void read_part(void* p, std::uintptr_t code) {
  const auto a = reinterpret_cast<std::uintptr_t>(p);
  if ((a & 3) + size <= 4) [[likely]] {
    cell& c = *shadow_of(a);
    const std::uint64_t bytes = ((std::uint64_t{1} << size) - 1) << (a & 3);
    if (the.has_read(c, bytes)) [[likely]] return;
    if (judged == 1 && !in_whole_block(a) && the.read_quickly(c, a & ~std::uintptr_t{3}, bytes, code)) [[likely]] return;
  }
  slowly(a, size, access_kind::read, code);
}
template <std::size_t size>
inline __attribute__((always_inline)) void write_part(void* p, std::uintptr_t code) {
  const auto a = reinterpret_cast<std::uintptr_t>(p);
  if ((a & 3) + size <= 4) [[likely]] {
    cell& c = *shadow_of(a);
    const std::uint64_t bytes = ((std::uint64_t{1} << size) - 1) << (a & 3);
    if (the.has_written(c, bytes)) [[likely]] return;
    if (judged == 1 && !in_whole_block(a) && the.write_quickly(c, bytes, code)) [[likely]] return;
  }
  slowly(a, size, access_kind::write, code);
}
inline __attribute__((always_inline)) void some(void* p, std::size_t size, access_kind kind, std::uintptr_t code) {
  if (judged > 0) [[likely]] the.access(reinterpret_cast<std::uintptr_t>(p), size, kind, code);
}

}  // namespace

FUNCTION void __tsan_init() { start(); }

FUNCTION void __tsan_func_entry(void* from) {
  if (judged != 0) [[likely]] call_stack.enter(from);
}
FUNCTION void __tsan_func_exit() {
  if (judged != 0) [[likely]] {
    if (call_stack.depth <= call_stack.watched) [[unlikely]] sweeps::end_above(call_stack.depth - 1);
    call_stack.leave();
    if (counts_hold(call_stack.depth)) [[unlikely]] end_counts(call_stack.depth);
  }
}

FUNCTION void __tsan_read1(void* p) { read_part<1>(p, HERE); }
FUNCTION void __tsan_read2(void* p) { read_part<2>(p, HERE); }
FUNCTION void __tsan_read4(void* p) { read_words<1>(p, HERE); }
FUNCTION void __tsan_read8(void* p) { read_words<2>(p, HERE); }
FUNCTION void __tsan_read16(void* p) { read_words<4>(p, HERE); }
FUNCTION void __tsan_write1(void* p) { write_part<1>(p, HERE); }
FUNCTION void __tsan_write2(void* p) { write_part<2>(p, HERE); }
FUNCTION void __tsan_write4(void* p) { write_words<1>(p, HERE); }
FUNCTION void __tsan_write8(void* p) { write_words<2>(p, HERE); }
FUNCTION void __tsan_write16(void* p) { write_words<4>(p, HERE); }
FUNCTION void __tsan_unaligned_read2(void* p) { some(p, 2, access_kind::read, HERE); }
FUNCTION void __tsan_unaligned_read4(void* p) { read_words<1>(p, HERE); }
FUNCTION void __tsan_unaligned_read8(void* p) { read_words<2>(p, HERE); }
FUNCTION void __tsan_unaligned_read16(void* p) { read_words<4>(p, HERE); }
FUNCTION void __tsan_unaligned_write2(void* p) { some(p, 2, access_kind::write, HERE); }
FUNCTION void __tsan_unaligned_write4(void* p) { write_words<1>(p, HERE); }
FUNCTION void __tsan_unaligned_write8(void* p) { write_words<2>(p, HERE); }
FUNCTION void __tsan_unaligned_write16(void* p) { write_words<4>(p, HERE); }
// A read and a write of the same bytes: the write stands for both.
FUNCTION void __tsan_read_write1(void* p) { some(p, 1, access_kind::write, HERE); }
FUNCTION void __tsan_read_write2(void* p) { some(p, 2, access_kind::write, HERE); }
FUNCTION void __tsan_read_write4(void* p) { write_words<1>(p, HERE); }
FUNCTION void __tsan_read_write8(void* p) { write_words<2>(p, HERE); }
FUNCTION void __tsan_read_write16(void* p) { write_words<4>(p, HERE); }
FUNCTION void __tsan_unaligned_read_write2(void* p) { some(p, 2, access_kind::write, HERE); }
FUNCTION void __tsan_unaligned_read_write4(void* p) { write_words<1>(p, HERE); }
FUNCTION void __tsan_unaligned_read_write8(void* p) { write_words<2>(p, HERE); }
FUNCTION void __tsan_unaligned_read_write16(void* p) { write_words<4>(p, HERE); }
// Volatile is no synchronisation.
FUNCTION void __tsan_volatile_read1(void* p) { read_part<1>(p, HERE); }
FUNCTION void __tsan_volatile_read2(void* p) { read_part<2>(p, HERE); }
FUNCTION void __tsan_volatile_read4(void* p) { read_words<1>(p, HERE); }
FUNCTION void __tsan_volatile_read8(void* p) { read_words<2>(p, HERE); }
FUNCTION void __tsan_volatile_read16(void* p) { read_words<4>(p, HERE); }
FUNCTION void __tsan_volatile_write1(void* p) { write_part<1>(p, HERE); }
FUNCTION void __tsan_volatile_write2(void* p) { write_part<2>(p, HERE); }
FUNCTION void __tsan_volatile_write4(void* p) { write_words<1>(p, HERE); }
FUNCTION void __tsan_volatile_write8(void* p) { write_words<2>(p, HERE); }
FUNCTION void __tsan_volatile_write16(void* p) { write_words<4>(p, HERE); }
FUNCTION void __tsan_unaligned_volatile_read2(void* p) { some(p, 2, access_kind::read, HERE); }
FUNCTION void __tsan_unaligned_volatile_read4(void* p) { read_words<1>(p, HERE); }
FUNCTION void __tsan_unaligned_volatile_read8(void* p) { read_words<2>(p, HERE); }
FUNCTION void __tsan_unaligned_volatile_read16(void* p) { read_words<4>(p, HERE); }
FUNCTION void __tsan_unaligned_volatile_write2(void* p) { some(p, 2, access_kind::write, HERE); }
FUNCTION void __tsan_unaligned_volatile_write4(void* p) { write_words<1>(p, HERE); }
FUNCTION void __tsan_unaligned_volatile_write8(void* p) { write_words<2>(p, HERE); }
FUNCTION void __tsan_unaligned_volatile_write16(void* p) { write_words<4>(p, HERE); }

FUNCTION void __tsan_read_range(void* p, unsigned long size) { some(p, size, access_kind::read, HERE); }
FUNCTION void __tsan_write_range(void* p, unsigned long size) { some(p, size, access_kind::write, HERE); }

// An object's table of virtual functions. A destructor writes the value that is there already: no change, no write.
FUNCTION void __tsan_vptr_update(void** p, void* value) {
  if (*p != value) write_words<2>(p, HERE);
}
FUNCTION void __tsan_vptr_read(void** p) { read_words<2>(p, HERE); }

FUNCTION void* __tsan_memcpy(void* to, const void* from, std::size_t n) {
  some(const_cast<void*>(from), n, access_kind::read, HERE);
  some(to, n, access_kind::write, HERE);
  return std::memmove(to, from, n);
}
FUNCTION void* __tsan_memmove(void* to, const void* from, std::size_t n) {
  some(const_cast<void*>(from), n, access_kind::read, HERE);
  some(to, n, access_kind::write, HERE);
  return std::memmove(to, from, n);
}
FUNCTION void* __tsan_memset(void* to, int value, std::size_t n) {
  some(to, n, access_kind::write, HERE);
  return std::memset(to, value, n);
}

FUNCTION void __tsan_ignore_thread_begin() { heist_race_ignore(1); }
FUNCTION void __tsan_ignore_thread_end() { heist_race_ignore(-1); }
