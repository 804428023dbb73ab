#include "harness.hpp"

#include "tests/sandbox.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace stress {

namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point then) { return std::chrono::duration<double>(clock::now() - then).count(); }

// For those who fail, on whatever thread.
const char* program = "stress";
std::string board_of_ours;
std::atomic<std::uint64_t> round_seed{0};
std::atomic<const char*> errand{"it started"};

// What a crash says, ready to be written.
char last_words[256];

void know_round(std::uint64_t seed) {
  round_seed = seed;
  std::snprintf(last_words, sizeof last_words, "%s: crashes; seed %llu\n", program,
                static_cast<unsigned long long>(seed));
}

// Sanitizers say more of a crash than we could.
void speak_in_crashes() {
  if (sanitized) return;
  struct sigaction how{};
  how.sa_handler = [](int signal) {
    [[maybe_unused]] const auto n = ::write(STDERR_FILENO, last_words, std::strlen(last_words));
    std::signal(signal, SIG_DFL);
    ::raise(signal);
  };
  how.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) ::sigaction(signal, &how, nullptr);
}

void enter_sandbox() {
  if (heist_test::refuse_membarrier()) return;
  std::fprintf(stderr, "%s: this kernel does not let a process refuse itself a system call\n", program);
  std::exit(2);
}

[[noreturn]] void usage() {
  std::fprintf(stderr, "usage: %s [--seconds S] [--rounds N] [--seed N] [--patience S] [--without membarrier]\n",
               program);
  std::exit(2);
}

double number(const char* text) {
  char* end = nullptr;
  const double x = std::strtod(text, &end);
  if (end == text || *end != '\0' || x < 0) usage();
  return x;
}

}  // namespace

struct session::books {
  slice wanted;
  std::uint64_t first_seed = 1;
  double patience_s = 60 * slower;

  clock::time_point start = clock::now();
  double shown_s = 0;
  std::int64_t rounds = 0;
  struct figure {
    std::string name;
    std::uint64_t n = 0;
  };
  std::vector<figure> sums, peaks;

  // The watchdog: rounds must go on.
  std::atomic<std::int64_t> beats{0};
  std::mutex lock;
  std::condition_variable over;
  bool ended = false;
  std::thread dog;

  static std::uint64_t& in(std::vector<figure>& list, const char* what) {
    for (figure& f : list)
      if (f.name == what) return f.n;
    return list.emplace_back(figure{what}).n;
  }

  std::string text() const {
    std::string s;
    auto add = [&s](const char* before, const figure& f) {
      s += (s.empty() ? "" : ", ") + (before + std::to_string(f.n)) + " " + f.name;
    };
    for (const figure& f : sums) add("", f);
    for (const figure& f : peaks) add("at most ", f);
    return s;
  }

  // A line every few seconds; on a terminal, one that is written over.
  void show() {
    const double passed = seconds_since(start);
    const bool terminal = ::isatty(STDOUT_FILENO) != 0;
    if (passed < shown_s + (terminal ? 0.5 : 5)) return;
    shown_s = passed;
    const double share = wanted.seconds > 0 ? passed / wanted.seconds : 1;
    const double counted = wanted.rounds > 0 ? static_cast<double>(rounds) / static_cast<double>(wanted.rounds) : 1;
    const int percent = static_cast<int>(100 * (share < counted ? share : counted));
    std::printf("%s%s: %3d %%, %.0f s, %lld rounds, %s%s", terminal ? "\r\033[K" : "", program,
                percent < 100 ? percent : 100, passed, static_cast<long long>(rounds), text().c_str(),
                terminal ? "" : "\n");
    std::fflush(stdout);
  }

  void watch() {
    std::unique_lock hold(lock);
    std::int64_t seen = -1;
    clock::time_point since = clock::now();
    while (!over.wait_for(hold, std::chrono::milliseconds(500), [this] { return ended; })) {
      const std::int64_t now = beats.load();
      if (std::exchange(seen, now) != now) since = clock::now();
      if (seconds_since(since) < patience_s) continue;
      std::fprintf(stderr, "%s: hangs: this round has not ended for %.0f s, since %s; seed %llu\n", program, patience_s,
                   errand.load(), static_cast<unsigned long long>(round_seed.load()));
      std::signal(SIGABRT, SIG_DFL);
      std::abort();
    }
  }
};

session::session(const char* name, int argc, char** argv, slice usual) : books_(std::make_unique<books>()) {
  program = name;
  // Pools that share the machine do so among themselves: not with the user's.
  board_of_ours = (std::filesystem::temp_directory_path() / (std::string(name) + "-" + std::to_string(::getpid()))).string();
  ::setenv("HEIST_BOARD", board_of_ours.c_str(), 1);
  books& b = *books_;
  b.wanted = usual;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view flag = argv[i];
    if (i + 1 == argc) usage();
    if (flag == "--seconds")
      b.wanted.seconds = number(argv[i + 1]);
    else if (flag == "--rounds")
      b.wanted.rounds = static_cast<std::int64_t>(number(argv[i + 1]));
    else if (flag == "--seed")
      b.first_seed = std::strtoull(argv[i + 1], nullptr, 10);
    else if (flag == "--patience")
      b.patience_s = number(argv[i + 1]);
    else if (flag == "--without" && std::string_view(argv[i + 1]) == "membarrier")
      enter_sandbox();
    else
      usage();
  }
  know_round(b.first_seed);
  speak_in_crashes();
  b.dog = std::thread([&b] { b.watch(); });
}

session::~session() {
  {
    const std::lock_guard hold(books_->lock);
    books_->ended = true;
  }
  books_->over.notify_one();
  books_->dog.join();
  std::filesystem::remove(board_of_ours);
}

bool session::more() {
  books& b = *books_;
  b.beats.fetch_add(1);
  b.show();
  if (b.rounds >= b.wanted.rounds && seconds_since(b.start) >= b.wanted.seconds) return false;
  know_round(b.first_seed + static_cast<std::uint64_t>(b.rounds++));
  return true;
}

std::uint64_t session::seed() const noexcept { return round_seed.load(); }

void session::count(const char* what, std::uint64_t n) { books::in(books_->sums, what) += n; }

void session::most(const char* what, std::uint64_t n) {
  std::uint64_t& peak = books::in(books_->peaks, what);
  if (peak < n) peak = n;
}

int session::end() {
  books& b = *books_;
  std::printf("%s%s: %lld rounds in %.1f s from seed %llu: %s\n", ::isatty(STDOUT_FILENO) != 0 ? "\r\033[K" : "",
              program, static_cast<long long>(b.rounds), seconds_since(b.start),
              static_cast<unsigned long long>(b.first_seed), b.text().c_str());
  return 0;
}

void doing(const char* what) noexcept { errand.store(what); }

void fail(const char* format, ...) {
  char what[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  std::fprintf(stderr, "%s: %s; seed %llu\n", program, what, static_cast<unsigned long long>(round_seed.load()));
  std::_Exit(1);
}

}  // namespace stress
