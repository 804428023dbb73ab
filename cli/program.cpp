#include <cli/command.hpp>
#include <cli/program.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace heist::cli {

using analysis::bad_input;

void program::add_to(CLI::App& app) {
  app.add_option("program", words, "the program and its arguments, after --")->required();
  app.add_option("-w,--workers", workers, "the number of workers of its default pool (HEIST_WORKERS)")
      ->check(CLI::Range(1, 4096));
}

namespace {

// What the handler of a signal that ends the command needs: the running program, and unfinished files. If there are
// more drafts than places, the rest stay behind.
std::atomic<pid_t> running = 0;
std::atomic<bool> passed_on = false;
std::array<std::atomic<const char*>, 8> drafts{};

// While a program runs, the signal is passed on to it. The command ends after it, as it always does.
void end_by(int signal) {
  const int before = errno;
  if (const pid_t child = running.load(); child > 0) {
    passed_on = true;
    ::kill(child, signal);
  } else {
    for (const auto& d : drafts)
      if (const char* const path = d.load(); path != nullptr) ::unlink(path);
    ::signal(signal, SIG_DFL);
    ::raise(signal);
  }
  errno = before;
}

void hear_signals() {
  for (const int signal : {SIGHUP, SIGINT, SIGTERM})
    if (::signal(signal, end_by) == SIG_IGN) ::signal(signal, SIG_IGN);
}

void remember(const char* draft) {
  hear_signals();
  for (auto& d : drafts) {
    const char* none = nullptr;
    if (d.compare_exchange_strong(none, draft)) return;
  }
}

void forget(const char* draft) {
  for (auto& d : drafts) {
    const char* mine = draft;
    if (d.compare_exchange_strong(mine, nullptr)) return;
  }
}

using strings = std::vector<std::string>;

strings environment_with(const std::vector<std::pair<std::string, std::string>>& variables) {
  strings all;
  for (char** v = environ; *v != nullptr; ++v) {
    const std::string_view old(*v);
    bool replaced = false;
    for (const auto& [name, value] : variables) replaced = replaced || old.starts_with(name + "=");
    if (!replaced) all.emplace_back(old);
  }
  for (const auto& [name, value] : variables) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers(const strings& all) {
  std::vector<char*> p;
  for (const std::string& s : all) p.push_back(const_cast<char*>(s.c_str()));
  p.push_back(nullptr);
  return p;
}

// Signals that the terminal sends to stop the program are for the program: the command stays to report. A process that
// ignores SIGCHLD cannot learn how its child ended, so the command does not ignore it, even if it was started so.
class signals_meanwhile {
 public:
  signals_meanwhile()
      : quit_(::signal(SIGQUIT, SIG_IGN)), interrupt_(::signal(SIGINT, SIG_IGN)), child_(::signal(SIGCHLD, SIG_DFL)) {}
  ~signals_meanwhile() {
    ::signal(SIGQUIT, quit_);
    ::signal(SIGINT, interrupt_);
    ::signal(SIGCHLD, child_);
  }
  signals_meanwhile(const signals_meanwhile&) = delete;
  signals_meanwhile& operator=(const signals_meanwhile&) = delete;

  // The signals that only the command ignores: the program must not.
  sigset_t for_the_program() const {
    sigset_t heard;
    ::sigemptyset(&heard);
    if (quit_ != SIG_IGN) ::sigaddset(&heard, SIGQUIT);
    if (interrupt_ != SIG_IGN) ::sigaddset(&heard, SIGINT);
    return heard;
  }

 private:
  const sighandler_t quit_, interrupt_, child_;
};

// Blocks signals that end the command, so that none arrives after the program's start and before its id is known.
class signals_later {
 public:
  signals_later() {
    sigset_t ends;
    ::sigemptyset(&ends);
    for (const int signal : {SIGHUP, SIGINT, SIGTERM}) ::sigaddset(&ends, signal);
    ::pthread_sigmask(SIG_BLOCK, &ends, &before_);
  }
  ~signals_later() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  signals_later(const signals_later&) = delete;
  signals_later& operator=(const signals_later&) = delete;
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
};

pid_t start(const program& what, const strings& environment, program::output where, const sigset_t& heard) {
  const strings& words = what.words;
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  if (where == program::output::to_stderr) ::posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  if (where == program::output::to_file)
    ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, what.output_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                       0600);
  posix_spawnattr_t how;
  ::posix_spawnattr_init(&how);
  ::posix_spawnattr_setsigdefault(&how, &heard);
  ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  const signals_later later;
  ::posix_spawnattr_setsigmask(&how, &later.before());
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, words[0].c_str(), &files, &how, pointers(words).data(), pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&how);
  if (error != 0)
    throw bad_input(
        fmt::format("{} cannot be started: {}; give its path, or a name found in PATH", words[0], ::strerror(error)));
  running = child;
  return child;
}

}  // namespace

ended program::run(const std::vector<std::pair<std::string, std::string>>& variables, output where) const {
  auto all = variables;
  if (workers > 0) all.emplace_back("HEIST_WORKERS", std::to_string(workers));
  std::fflush(stdout);
  const signals_meanwhile signals;
  const pid_t child = start(*this, environment_with(all), where, signals.for_the_program());
  int status = 0;
  rusage used{};
  pid_t over = 0;
  siginfo_t ended_how;
  while (::waitid(P_PID, static_cast<id_t>(child), &ended_how, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  running = 0;  // while the id is still the program's
  do over = ::wait4(child, &status, 0, &used);
  while (over < 0 && errno == EINTR);
  if (over < 0) throw bad_input(fmt::format("cannot find out how {} ended: {}", words[0], ::strerror(errno)));
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  ended how;
  how.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  how.status = how.signal != 0 ? 128 + how.signal : WEXITSTATUS(status);
  how.lost_cores = used.ru_nivcsw;
  how.seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  return how;
}

void program::pass_signals_on() { hear_signals(); }

bool program::was_told_to_end() { return passed_on; }

int program::tell(const ended& how) const {
  if (how.signal != 0)
    fmt::print(stderr, "heist: {} was killed by signal {} ({})\n", words[0], how.signal, ::strsignal(how.signal));
  else if (how.status != 0)
    fmt::print(stderr, "heist: {} ended with exit status {}\n", words[0], how.status);
  return how.status;
}

int program::left_nothing(const ended& how, const char* what) const {
  if (how.signal != 0)
    fmt::print(stderr, "heist: {} wrote no {}: it was killed by signal {} ({})\n", words[0], what, how.signal,
               ::strsignal(how.signal));
  else
    fmt::print(
        stderr,
        "heist: {} wrote no {}: it never used heist, or did not end by returning from main or calling exit(); its exit "
        "status is {}\n",
        words[0], what, how.status);
  return how.status != 0 ? how.status : bad_usage;
}

namespace {

[[noreturn]] void refuse(const std::string& path, const char* why) {
  throw bad_input(fmt::format("{} cannot be written: {}", path, why));
}

// Where a link leads, whether or not that exists.
std::filesystem::path followed(std::filesystem::path path) {
  constexpr int most = 40;  // as in the kernel
  for (int i = 0; i < most && std::filesystem::is_symlink(path); ++i)
    path = path.parent_path() / std::filesystem::read_symlink(path);
  return std::filesystem::absolute(path);
}

}  // namespace

new_file::new_file(std::string path) : path_(std::move(path)) {
  std::error_code none;
  const std::filesystem::file_status found = std::filesystem::status(path_, none);
  if (std::filesystem::is_directory(found)) refuse(path_, "it is a folder");
  in_place_ = std::filesystem::exists(found) && !std::filesystem::is_regular_file(found);
  if (in_place_ && ::access(path_.c_str(), W_OK) != 0) refuse(path_, ::strerror(errno));
  target_ = in_place_ ? path_ : followed(path_).string();
  draft_ = (in_place_ ? (std::filesystem::temp_directory_path() / "heist").string() : target_) + ".XXXXXX";
  const int fd = ::mkstemp(draft_.data());
  if (fd < 0) {
    draft_.clear();
    refuse(path_, ::strerror(errno));
  }
  remember(draft_.c_str());
  // As if it had been made by open().
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(fd, 0666 & ~mask);
  ::close(fd);
}

new_file::~new_file() {
  if (draft_.empty()) return;
  ::unlink(draft_.c_str());
  forget(draft_.c_str());
}

bool new_file::written() const { return std::filesystem::file_size(draft_) > 0; }

void new_file::write(const std::string& text) const {
  std::FILE* const to = std::fopen(draft_.c_str(), "w");
  bool good = to != nullptr && std::fwrite(text.data(), 1, text.size(), to) == text.size();
  good = to != nullptr && std::fclose(to) == 0 && good;
  if (!good) refuse(path_, ::strerror(errno));
}

void new_file::keep() {
  if (in_place_) {
    std::ofstream to(target_);
    to << std::ifstream(draft_).rdbuf();
    if (!to.flush()) refuse(path_, ::strerror(errno));
    ::unlink(draft_.c_str());
  } else {
    std::filesystem::rename(draft_, target_);
  }
  forget(draft_.c_str());
  draft_.clear();
}

}  // namespace heist::cli
