#include <heist/base/fatal.hpp>

#include <sys/uio.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace heist::detail {

// One writev: a line stays whole when several threads speak, and nothing is allocated.
void say(const char* sentence) noexcept {
  auto part = [](const char* text) { return iovec{const_cast<char*>(text), std::strlen(text)}; };
  const iovec line[] = {part("heist: "), part(sentence), part("\n")};
  [[maybe_unused]] const auto written = ::writev(STDERR_FILENO, line, 3);
}

void fatal(const char* sentence) noexcept {
  say(sentence);
  std::abort();
}

}  // namespace heist::detail
