#include "tests/harsh/faults.hpp"

#include <heist/base/export.hpp>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <new>

namespace faults {

namespace {

// Plain memory and builtins: a sanitizer's own start comes through here, too.
struct {
  int active, what, first, more, calls;
} plan;

HEIST_NO_TSAN bool concerns(kind k) noexcept {
  return plan.what == static_cast<int>(k) || (plan.what == static_cast<int>(kind::mmap_and_pthread_create) &&
                                              (k == kind::mmap || k == kind::pthread_create));
}

HEIST_NO_TSAN bool refused(kind k) noexcept {
  if (__atomic_load_n(&plan.active, __ATOMIC_ACQUIRE) == 0 || !concerns(k)) return false;
  const int call = __atomic_add_fetch(&plan.calls, 1, __ATOMIC_RELAXED);
  return call >= plan.first && call - plan.first <= plan.more;
}

int refusal() noexcept {
  errno = ENOMEM;
  return -1;
}

// By the system call: a sanitizer calls some of these before anything of its own can be called.
template <class... Arguments>
int ask_kernel(long number, Arguments... arguments) noexcept {
  return static_cast<int>(::syscall(number, arguments...));
}

void* allocate(std::size_t size, std::size_t alignment) {
  void* const memory = refused(kind::operator_new)
                           ? nullptr
                           : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

const char* name(kind k) noexcept {
  static constexpr const char* names[] = {
      "mmap", "madvise", "mprotect", "sigaltstack", "pthread_create", "operator new", "mmap and pthread_create"};
  return names[static_cast<int>(k)];
}

void refuse(kind k, int first, int more) noexcept {
  plan = {0, static_cast<int>(k), first, more, 0};
  __atomic_store_n(&plan.active, 1, __ATOMIC_RELEASE);
}

int calls() noexcept { return __atomic_load_n(&plan.calls, __ATOMIC_RELAXED); }
void relent() noexcept { __atomic_store_n(&plan.active, 0, __ATOMIC_RELEASE); }

}  // namespace faults

using faults::kind;

// The sanitizers' own, where it is linked in statically.
extern "C" [[gnu::weak]] int __interceptor_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

extern "C" {

// Only what is asked for as a stack: the C library's allocator has its own way to the kernel, the sanitizers have not.
HEIST_NO_TSAN void* mmap(void* at, std::size_t size, int protection, int flags, int file, off_t offset) noexcept {
  if ((flags & MAP_STACK) != 0 && faults::refused(kind::mmap)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(::syscall(SYS_mmap, at, size, protection, flags, file, offset));
}

HEIST_NO_TSAN int madvise(void* at, std::size_t size, int advice) noexcept {
  constexpr int guard_install = 102;  // a kernel that refuses this one gets mprotect instead
  if (advice == guard_install && faults::plan.what == static_cast<int>(kind::mprotect)) return faults::refusal();
  if (faults::refused(kind::madvise)) return faults::refusal();
  return faults::ask_kernel(SYS_madvise, at, size, advice);
}

HEIST_NO_TSAN int mprotect(void* at, std::size_t size, int protection) noexcept {
  if (faults::refused(kind::mprotect)) return faults::refusal();
  return faults::ask_kernel(SYS_mprotect, at, size, protection);
}

HEIST_NO_TSAN int sigaltstack(const stack_t* fresh, stack_t* former) noexcept {
  if (faults::refused(kind::sigaltstack)) return faults::refusal();
  return faults::ask_kernel(SYS_sigaltstack, fresh, former);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*main)(void*), void* argument) noexcept {
  using creator = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const creator real = __interceptor_pthread_create != nullptr
                                  ? &__interceptor_pthread_create
                                  : reinterpret_cast<creator>(::dlsym(RTLD_NEXT, "pthread_create"));
  return faults::refused(kind::pthread_create) ? EAGAIN : real(thread, attributes, main, argument);
}

}  // extern "C"

void* operator new(std::size_t size) { return faults::allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return faults::allocate(size, static_cast<std::size_t>(alignment));
}
// As the standard library's: but the sanitizers' do not come here by themselves.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept try {
  return ::operator new(size);
} catch (const std::bad_alloc&) {
  return nullptr;
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept try {
  return ::operator new(size, alignment);
} catch (const std::bad_alloc&) {
  return nullptr;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
