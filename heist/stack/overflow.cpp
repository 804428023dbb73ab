#include <heist/base/fatal.hpp>
#include <heist/stack/overflow.hpp>
#include <heist/stack/stack.hpp>

#include <sys/mman.h>

#include <atomic>
#include <csignal>
#include <cstring>

namespace heist::detail {

namespace {

std::atomic<overflow_site (*)()> find_site{nullptr};
struct sigaction former_segv, former_bus;

// Signal-safe formatting: no allocation, no locale.
class line {
 public:
  line& operator<<(const char* text) noexcept {
    for (; *text != '\0' && used_ + 1 < sizeof text_; ++text) text_[used_++] = *text;
    text_[used_] = '\0';
    return *this;
  }
  line& operator<<(std::size_t n) noexcept {
    char digits[24];
    char* p = digits + sizeof digits;
    *--p = '\0';
    do *--p = static_cast<char>('0' + n % 10);
    while ((n /= 10) != 0);
    return *this << p;
  }
  const char* text() const noexcept { return text_; }

 private:
  char text_[256] = "";
  std::size_t used_ = 0;
};

// As if heist were not there: the former handler runs, or the default action follows when the
// instruction faults again.
void pass_on(const struct sigaction& former, int signal, siginfo_t* info, void* state) noexcept {
  if ((former.sa_flags & SA_SIGINFO) != 0 && former.sa_sigaction != nullptr)
    former.sa_sigaction(signal, info, state);
  else if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN)
    former.sa_handler(signal);
  else if (former.sa_handler != SIG_IGN || info->si_code > 0) {
    ::sigaction(signal, &former, nullptr);
    // A fault recurs when the instruction runs again; a signal sent by a process does not.
    if (info->si_code <= 0) ::raise(signal);
  }
}

void on_fault(int signal, siginfo_t* info, void* state) noexcept {
  const overflow_site site = find_site.load(std::memory_order_relaxed)();
  if (site.running == nullptr || !site.running->guards(info->si_addr))
    return pass_on(signal == SIGSEGV ? former_segv : former_bus, signal, info, state);
  line l;
  l << "stack overflow on worker heist-" << site.worker << ": its stack of " << site.running->size() / 1024
    << " KiB is full; raise heist::options::stack_size (or ulimit -s, its default)";
  say(l.text());
  struct sigaction to_core = {};
  to_core.sa_handler = SIG_DFL;
  ::sigaction(signal, &to_core, nullptr);  // and the instruction faults again
}

// One for each working thread, freed when the thread ends.
class signal_stack {
 public:
  [[gnu::noinline]] HEIST_NO_TSAN void prepare() noexcept {
    if (ready_) return;
    ready_ = true;
    stack_t has = {};
    if (::sigaltstack(nullptr, &has) != 0 || (has.ss_flags & SS_DISABLE) == 0) return;  // it has one
    void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return;  // an overflow will end without a message
    stack_t ours = {};
    ours.ss_sp = memory;
    ours.ss_size = size;
    if (::sigaltstack(&ours, nullptr) == 0)
      memory_ = memory;
    else
      ::munmap(memory, size);
  }
  ~signal_stack() {
    if (memory_ == nullptr) return;
    stack_t off = {};
    off.ss_flags = SS_DISABLE;
    ::sigaltstack(&off, nullptr);
    ::munmap(memory_, size);
  }

 private:
  static constexpr std::size_t size = 64 * 1024;
  void* memory_ = nullptr;
  bool ready_ = false;
};

}  // namespace

// Not instrumented by ThreadSanitizer, which takes a thread's stacks for threads.
HEIST_NO_TSAN void prepare_signal_stack() noexcept {
  static thread_local signal_stack mine;
  mine.prepare();
}

void watch_for_overflow(overflow_site (*find)()) noexcept {
  // Not std::call_once, which writes thread-locals: a pool may be made on any of a thread's stacks, which ThreadSanitizer
  // takes for threads.
  static const bool once = [find] {
    find_site.store(find, std::memory_order_relaxed);
    struct sigaction ours = {};
    ours.sa_sigaction = on_fault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    ::sigemptyset(&ours.sa_mask);
    ::sigaction(SIGSEGV, &ours, &former_segv);
    ::sigaction(SIGBUS, &ours, &former_bus);
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace heist::detail
