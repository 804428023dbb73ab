#include <cli/child.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace heist::cli {

namespace {

// In the new process: becomes the program, or says why not.
[[noreturn]] void become(const std::vector<std::string>& words, const child::variables& with, child::output where, int tell,
                         pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(1);  // it has died meanwhile
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD, SIGPIPE}) ::signal(number, SIG_DFL);
  // Ctrl-C is for the command, which asks its children to end in an order of its own.
  ::setpgid(0, 0);
  if (where == child::output::none)
    if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0) ::dup2(nowhere, STDOUT_FILENO);
  for (const auto& [name, value] : with) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int why = errno;
  static_cast<void>(!::write(tell, &why, sizeof why));
  ::_exit(127);
}

}  // namespace

child::child(const std::vector<std::string>& words, const variables& with, output where) {
  int line[2];
  if (::pipe2(line, O_CLOEXEC) != 0)
    throw analysis::bad_input(fmt::format("{} cannot be started: {}", words[0], ::strerror(errno)));
  const pid_t parent = ::getpid();
  id_ = ::fork();
  if (id_ == 0) become(words, with, where, line[1], parent);
  int why = id_ < 0 ? errno : 0;
  ::close(line[1]);
  // The other end is closed by a successful exec.
  if (id_ > 0) static_cast<void>(!::read(line[0], &why, sizeof why));
  ::close(line[0]);
  if (why == 0) return;
  if (id_ > 0) ::waitpid(id_, nullptr, 0);
  id_ = 0;
  throw analysis::bad_input(
      fmt::format("{} cannot be started: {}; give its path, or a name found in PATH", words[0], ::strerror(why)));
}

child::~child() { stop(); }

bool child::ended_within(int milliseconds) {
  using namespace std::chrono;
  const auto deadline = steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (id_ != 0) {
    int how = 0;
    if (const pid_t over = ::waitpid(id_, &how, WNOHANG); over != 0 && !(over < 0 && errno == EINTR)) {
      status_ = over < 0 ? 1 : WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
      id_ = 0;
    } else if (steady_clock::now() >= deadline) {
      return false;
    } else {
      std::this_thread::sleep_for(5ms);
    }
  }
  return true;
}

void child::signal(int number) const {
  if (id_ > 0) ::kill(id_, number);
}

void child::stop() {
  if (ended_within(0)) return;
  signal(SIGTERM);
  if (ended_within(5000)) return;
  signal(SIGKILL);
  ended_within(60'000);
}

}  // namespace heist::cli
