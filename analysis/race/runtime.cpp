#include <analysis/race/addresses.hpp>
#include <analysis/race/calls.hpp>
#include <analysis/race/end.hpp>
#include <analysis/race/judge.hpp>
#include <analysis/race/owners.hpp>
#include <analysis/race/report.hpp>
#include <analysis/race/runtime.hpp>
#include <analysis/race/settings.hpp>
#include <analysis/race/watch.hpp>

#include <link.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/single_threaded.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

extern "C" {
// Ordinary objects that fork refer to a thread-local of this name (heist/strand/worker.hpp): the linker refuses them.
[[gnu::used, gnu::visibility("hidden")]] char heist_this_worker = 0;
}

namespace heist::race {

constinit thread_local int judged [[gnu::tls_model("initial-exec")]] = 0;

constinit late<judge> late_judge;
constinit late<settings> late_settings;
constinit calls call_stack;

bool calls::map() noexcept {
  void* const p = ::mmap(nullptr, most * sizeof *places, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return false;
  places = static_cast<const void**>(p);
  return true;
}

namespace {

bool running = false, reported = false, threads = false;
pid_t judged_process = 0;

// Addresses at which the shadow of two of them would be the same, or which lie in the shadow.
bool lies_well() noexcept {
  const auto usual = [](const void* p) {
    const auto top = reinterpret_cast<std::uintptr_t>(p) >> 40;
    return top == 0 || top == 0x55 || top == 0x56 || top == 0x7e || top == 0x7f;
  };
  const int on_stack = 0;
  return usual(&running) && usual(&on_stack) && usual(reinterpret_cast<const void*>(&::getauxval)) && usual(::sbrk(0));
}

// Starts the program anew with all at its usual place. Returns if that is impossible.
void start_in_order() {
  const int before = ::personality(0xffffffff);
  if (before < 0 || (before & ADDR_NO_RANDOMIZE) != 0) return;
  if (::personality(static_cast<unsigned long>(before) | ADDR_NO_RANDOMIZE) < 0) return;
  static char arguments[1 << 21];
  std::FILE* const f = std::fopen("/proc/self/cmdline", "r");
  if (f == nullptr) return;
  const std::size_t n = std::fread(arguments, 1, sizeof arguments - 1, f);
  std::fclose(f);
  static char* words[1 << 16];
  std::size_t count = 0;
  for (std::size_t i = 0; i < n && count + 1 < sizeof words / sizeof *words; i += std::strlen(arguments + i) + 1)
    words[count++] = arguments + i;
  if (n + 1 < sizeof arguments && count > 0) ::execv("/proc/self/exe", words);
}

void at_end() {
  const int status = say_at_end();
  if (status != 0) {
    std::fflush(nullptr);
    ::_exit(status);
  }
}

int last_report() {
  if (!addresses::on) return report();
  addresses::end();
  return 0;
}

// What was found so far is said before the program dies of a signal. If the signal came where the memory allocator is at work
// the report may crash: then the program dies of that. Or it waits for the allocator's lock: then of the first signal, later.
volatile int dies_of = 0;
void too_long(int) {
  constexpr char text[] = "heist race: the program was ended by a signal at a place where no report can be made\n";
  static_cast<void>(!::write(2, text, sizeof text - 1));
  ::signal(dies_of, SIG_DFL);
  ::raise(dies_of);
}
void on_signal(int signal) {
  ::signal(signal, SIG_DFL);
  if (!reported && ::gettid() == judged_process) {
    sweeps::end_all();
    reported = true;
    judged = 0;
    dies_of = signal;
    ::signal(SIGALRM, &too_long);
    ::alarm(60);
    if (!addresses::on) say_interrupted(signal);
    static_cast<void>(last_report());
  }
  ::raise(signal);
}

int is_loaded(dl_phdr_info* info, std::size_t, void* name) {
  return info->dlpi_name != nullptr && std::strstr(info->dlpi_name, static_cast<const char*>(name)) != nullptr ? 1 : 0;
}
void refuse(const char* library, const char* why) {
  if (::dl_iterate_phdr(&is_loaded, const_cast<char*>(library)) == 0) return;
  std::fprintf(stderr, "heist race: %s\n", why);
  ::_exit(70);
}

[[noreturn]] void no_room() {
  std::fprintf(stderr, "heist race: cannot reserve 64 TiB of addresses for the shadow (%s); is there a limit (ulimit -v)?\n",
               std::strerror(errno));
  ::_exit(70);
}

void watch_signals() {
  static char stack[1 << 18];
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  ::sigaltstack(&other, nullptr);
  for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT}) {
    struct sigaction now{};
    ::sigaction(s, nullptr, &now);
    if (now.sa_handler != SIG_DFL) continue;
    now.sa_handler = &on_signal;
    now.sa_flags = SA_ONSTACK | SA_NODEFER;
    ::sigaction(s, &now, nullptr);
  }
}

}  // namespace

int usual_judged() noexcept { return addresses::on ? 2 : 1; }
bool started() noexcept { return running; }
void note_thread() noexcept {
  threads = true;
  sweeps::forbid();  // other threads come by their tables, too
}
bool has_threads() noexcept { return threads; }

void start() {
  if (running) return;
  running = true;
  refuse("libtsan", "the program is linked with ThreadSanitizer's library, too; link it without -fsanitize=thread");
  refuse("libheist.so", "the program is linked with the ordinary libheist, too; build all that uses heist with heist_race()");
  // The shadow before all that uses the standard library: the program's copies of its templates are instrumented, and the linker
  // may have put them in the place of the detector's own.
  if (!lies_well()) start_in_order();
  if (!lies_well() || !map_shadow()) no_room();
  late_settings.build();
  the_settings.read(std::getenv("HEIST_RACE"));
  late_judge.build();
  if (!the.code_numbers.map() || !call_stack.map()) no_room();
  the.determinacy = the_settings.determinacy;
  if (!the_settings.watch.empty()) watch::read(the_settings.watch.c_str());
  the.choose_ways();
  // A second run knows by this one which places in the code touch a byte first.
  if (the_settings.first || watch::any) sweeps::forbid();
  // The whole range that the stack may grow into; below the stack nothing else is in it.
  stack_high = reinterpret_cast<std::uintptr_t>(::getauxval(AT_EXECFN)) | 0xfff;
  rlimit limit{};
  ::getrlimit(RLIMIT_STACK, &limit);
  const std::size_t size = limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > (std::size_t{1} << 36) ? std::size_t{1} << 36
                                                                                                     : limit.rlim_cur;
  stack_low = stack_high - size;
  stack_top = stack_high + 1;
  the.start(stack_low, stack_high);
  find_private();
  // Counts of std::shared_ptr are atomic only in programs that have threads, as far as the C library knows.
  __libc_single_threaded = 0;
  judged_process = ::getpid();
  std::atexit(at_end);
  std::at_quick_exit(at_end);
  watch_signals();
  if (!the_settings.addresses.empty()) addresses::begin(the_settings.addresses.c_str(), the_settings.sample);
  judged = usual_judged();
}

int say_at_end() {
  sweeps::end_all();
  if (reported || ::getpid() != judged_process) return 0;
  reported = true;
  judged = 0;
  return last_report();
}

void end_with(const char* why, int status) {
  sweeps::end_all();
  judged = 0;
  if (!reported) {
    reported = true;
    static_cast<void>(last_report());
  }
  std::fprintf(stderr, "heist race: %s\n", why);
  std::fflush(nullptr);
  ::_exit(status);
}

void end_if_not_suppressed() {
  if (!the_settings.suppress.empty() && !any_to_report()) return;
  reported = true;
  judged = 0;
  const int status = report();
  std::fflush(nullptr);
  ::_exit(status);
}

}  // namespace heist::race
