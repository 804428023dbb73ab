#include <heist/stack/slab.hpp>
#include <heist/stack/valgrind.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace heist::detail {

namespace {

// Linux 6.13; older C libraries do not name it.
constexpr int guard_install = 102;

// A guard by madvise needs no second mapping. One by mprotect splits the mapping, and a process has
// only 65,530 of them.
bool install_guard(char* lowest) noexcept {
  return ::madvise(lowest, stack::guard_size, guard_install) == 0 ||
         ::mprotect(lowest, stack::guard_size, PROT_NONE) == 0;
}

// Addresses may be scarce (ulimit -v): a slab has at most this many, or a single place.
constexpr std::size_t most_bytes = std::size_t{1} << 30;

}  // namespace

slab::slab(char* mapping, std::size_t stack_size, unsigned places) noexcept
    : mapping_(mapping),
      stack_size_(stack_size),
      places_(places),
      blank_(static_cast<std::uint32_t>((std::uint64_t{1} << places) - 1)) {}

slab* slab::map(std::size_t stack_size, std::size_t wanted) noexcept {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t usable = (stack_size + page - 1) / page * page;
  const std::size_t span = usable + stack::guard_size;
  auto places = static_cast<unsigned>(std::clamp<std::size_t>(std::min(wanted, most_bytes / span), 1, most_places));
  void* mapping = MAP_FAILED;
  for (;; places /= 2) {
    mapping = ::mmap(nullptr, places * span, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (mapping != MAP_FAILED) break;
    if (places == 1) return nullptr;
  }
  ::madvise(mapping, places * span, MADV_NOHUGEPAGE);  // or one touched byte commits 2 MiB; a refusal is harmless
  slab* const s = new (std::nothrow) slab(static_cast<char*>(mapping), usable, places);
  if (s == nullptr) ::munmap(mapping, places * span);
  return s;
}

void slab::unmap(slab* s) noexcept {
  s->for_each_stack([](stack& k) { stack::end(&k); });
  ::munmap(s->mapping_, s->places_ * s->span());
  delete s;
}

stack* slab::make(unsigned place) noexcept {
  if ((guarded_.load(std::memory_order_relaxed) & bit(place)) == 0) {
    if (!install_guard(lowest(place))) return nullptr;
    guarded_.fetch_or(bit(place), std::memory_order_relaxed);
  }
  return stack::begin(*this, lowest(place), stack_size_);
}

void slab::unmake(stack* s) noexcept {
  char* const low = lowest(place_of(s)) + stack::guard_size;
  stack::end(s);
  ::madvise(low, stack_size_, MADV_DONTNEED);
  valgrind_sees_mapped(low, stack_size_);
}

}  // namespace heist::detail
