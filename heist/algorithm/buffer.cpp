#include <heist/algorithm/buffer.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace heist::detail {

bool has_memory_for(std::size_t bytes) noexcept {
  if (bytes < std::size_t{256} << 20) return true;
  const long pages = ::sysconf(_SC_AVPHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages < 0 || size < 0 || bytes < static_cast<std::size_t>(pages) * static_cast<std::size_t>(size) / 2;
}

void expect_much(void* at, std::size_t bytes) noexcept {
  constexpr std::size_t huge = std::size_t{2} << 20;
  if (bytes < 4 * huge) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(at);
  const std::uintptr_t first = (begin + huge - 1) / huge * huge, last = (begin + bytes) / huge * huge;
  const int own = errno;  // a kernel without huge pages refuses, and nothing is lost
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
  errno = own;
}

}  // namespace heist::detail
