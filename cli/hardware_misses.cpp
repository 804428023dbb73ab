#include <cli/hardware_misses.hpp>

#include <fmt/format.h>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace heist::cli {

namespace {

std::string reason(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return "the kernel refuses perf events (see /proc/sys/kernel/perf_event_paranoid)";
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      return "this processor has no counters for them, or its virtual machine hides them";
    case ENOSYS:
      return "the kernel has no perf events";
    default:
      return std::strerror(error);
  }
}

}  // namespace

hardware_misses::hardware_misses() {
  perf_event_attr what{};
  what.size = sizeof what;
  what.type = PERF_TYPE_HARDWARE;
  what.config = PERF_COUNT_HW_CACHE_MISSES;
  what.inherit = 1;
  what.exclude_kernel = 1;
  what.exclude_hv = 1;
  counter_ = static_cast<int>(::syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
  if (counter_ < 0) refused_ = reason(errno);
}

hardware_misses::~hardware_misses() {
  if (counter_ >= 0) ::close(counter_);
}

std::uint64_t hardware_misses::count() const {
  std::uint64_t n = 0;
  return counter_ >= 0 && ::read(counter_, &n, sizeof n) == sizeof n ? n : 0;
}

}  // namespace heist::cli
