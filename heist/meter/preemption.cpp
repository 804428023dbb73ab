#include <heist/base/cell.hpp>
#include <heist/meter/preemption.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace heist::detail {

namespace {

// The kernel's figures about this thread: the time that it ran, that it waited, and how often it was given a processor.
class own_figures {
 public:
  own_figures() noexcept : file_(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {}
  ~own_figures() {
    if (file_.get() >= 0) ::close(file_.get());
  }
  own_figures(const own_figures&) = delete;
  own_figures& operator=(const own_figures&) = delete;

  std::uint64_t waited_since_last() noexcept {
    char text[96];
    const int file = file_.get();
    const ssize_t n = file < 0 ? 0 : ::pread(file, text, sizeof text - 1, 0);
    if (n <= 0) return 0;
    text[n] = 0;
    char* end = nullptr;
    static_cast<void>(std::strtoull(text, &end, 10));
    const std::uint64_t waited = std::strtoull(end, nullptr, 10);
    return waited - last_.replace(waited);
  }

 private:
  const cell<int> file_;
  cell<std::uint64_t> last_;
};

}  // namespace

// Not inlined: a strand that calls it again may be on another thread by then.
[[gnu::noinline]] std::uint64_t time_preempted() noexcept {
  thread_local own_figures figures;
  return figures.waited_since_last();
}

}  // namespace heist::detail
