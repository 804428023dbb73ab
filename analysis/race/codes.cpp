#include <analysis/race/codes.hpp>
#include <analysis/race/end.hpp>

#include <sys/mman.h>

namespace heist::race {

bool codes::map() noexcept {
  void* const p = ::mmap(nullptr, (mark::code_bits + 1) * sizeof *table_, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return false;
  table_ = static_cast<std::uintptr_t*>(p);
  return true;
}

std::uint32_t codes::find(std::uintptr_t code) noexcept {
  std::uint32_t n = code & mark::code_bits;
  while (table_[n] != 0 && table_[n] != code) n = (n + 1) & mark::code_bits;
  if (table_[n] == 0) {
    if (++taken_ > mark::code_bits / 2) end_with("the program has too much code: the detector numbers 2^23 accesses", 70);
    table_[n] = code;
  }
  return n;
}

}  // namespace heist::race
