#include <heist/algorithm/buffer.hpp>

#include <unistd.h>

namespace heist::detail {

bool has_memory_for(std::size_t bytes) noexcept {
  if (bytes < std::size_t{256} << 20) return true;
  const long pages = ::sysconf(_SC_AVPHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages < 0 || size < 0 || bytes < static_cast<std::size_t>(pages) * static_cast<std::size_t>(size) / 2;
}

}  // namespace heist::detail
