#pragma once
// The detector (analysis/race), as heist's library calls it. It has no types in common with heist: `fork` is room for what
// it knows of an open fork, and `moment` a point of the run.

#include <heist/base/export.hpp>

#include <cstddef>
#include <cstdint>

HEIST_BEGIN

extern "C" {
void heist_race_fork(std::uintptr_t* fork, void* frame, const void* code) noexcept;
void heist_race_first_ended(std::uintptr_t* fork) noexcept;
void heist_race_joined(std::uintptr_t* fork) noexcept;
void heist_race_abandoned(std::uintptr_t* fork) noexcept;

std::uint64_t heist_race_new_group() noexcept;
std::uint64_t heist_race_strand() noexcept;
std::uint64_t heist_race_now() noexcept;
void heist_race_begin_child(std::uintptr_t* fork, std::uint64_t group, std::uint64_t strand, void* frame,
                            const void* code) noexcept;
void heist_race_end_child(std::uintptr_t* fork) noexcept;
std::uint64_t heist_race_sync(std::uint64_t group) noexcept;
void heist_race_begin_late(std::uintptr_t* fork, std::uint64_t group, std::uint64_t since, void* frame,
                           const void* code) noexcept;
void heist_race_end_late(std::uintptr_t* fork) noexcept;

void heist_race_begin_loop(std::uintptr_t* fork, void* frame, const void* code, int calls_back) noexcept;
void heist_race_begin_iteration(std::uintptr_t* fork) noexcept;
void heist_race_end_iteration(std::uintptr_t* fork) noexcept;
void heist_race_begin_callback(std::uintptr_t* fork) noexcept;
void heist_race_end_callback(std::uintptr_t* fork) noexcept;
// The call is given a value, and returns one.
void heist_race_take_over(const void* value, std::size_t size) noexcept;
void heist_race_hand_on(std::uintptr_t* fork, const void* value, std::size_t size) noexcept;
void heist_race_end_loop(std::uintptr_t* fork) noexcept;

void heist_race_begin_future(std::uintptr_t* fork, void* frame, const void* code) noexcept;
void* heist_race_end_future(std::uintptr_t* fork) noexcept;
void* heist_race_here() noexcept;
void heist_race_after(const void* moment) noexcept;
void* heist_race_copy(const void* moment) noexcept;
void heist_race_forget(void* moment) noexcept;
void heist_race_forget_futures() noexcept;
void heist_race_release(const void* what) noexcept;
void heist_race_acquire(const void* what) noexcept;

void heist_race_lock(const void* lock, int shared) noexcept;
void heist_race_unlock(const void* lock) noexcept;
void heist_race_retire(const void* lock) noexcept;
void heist_race_access(const void* from, std::size_t size, int writes, const void* code) noexcept;
void heist_race_ignore(int more) noexcept;
void heist_race_exempt(const void* block) noexcept;
void heist_race_read_early(const void* view, std::size_t size, const void* code) noexcept;
// The code of a read of these bytes since the instant, by the running strand; null if there was none, or also a write.
const void* heist_race_only_read(const void* from, std::size_t size, std::uint64_t since) noexcept;

int heist_race_reversed() noexcept;
void heist_race_blocked(const char* what) noexcept;

// For tests: the bytes that raced so far; and as if nothing had been found.
void heist_race_for_racy(void (*f)(void* with, std::uintptr_t first, std::uintptr_t last), void* with) noexcept;
void heist_race_clear() noexcept;
}

HEIST_END
