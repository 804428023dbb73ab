#pragma once
// The calling thread's cache misses, where the kernel lets a process count them.

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace contrasts {

class cache_misses {
 public:
  cache_misses() noexcept {
    perf_event_attr what{};
    what.type = PERF_TYPE_HARDWARE;
    what.size = sizeof what;
    what.config = PERF_COUNT_HW_CACHE_MISSES;
    what.exclude_kernel = 1;
    file_ = static_cast<int>(::syscall(SYS_perf_event_open, &what, 0, -1, -1, 0));
    if (file_ < 0) reason() = errno;
  }
  ~cache_misses() {
    if (file_ >= 0) ::close(file_);
  }
  cache_misses(const cache_misses&) = delete;
  cache_misses& operator=(const cache_misses&) = delete;

  // Since it was made; below 0: they cannot be counted.
  double read() const noexcept {
    std::uint64_t n = 0;
    if (file_ < 0 || ::read(file_, &n, sizeof n) != static_cast<ssize_t>(sizeof n)) return -1;
    return static_cast<double>(n);
  }
  static const char* refusal() { return std::strerror(reason()); }

 private:
  static int& reason() {
    static int why = 0;
    return why;
  }
  int file_ = -1;
};

}  // namespace contrasts
