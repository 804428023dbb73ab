#include <bench/waiting/player.hpp>

#include <bench/common/bench.hpp>
#include <bench/common/memory.hpp>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

namespace waiting {

namespace {

constexpr double patience_ns = 120e9;

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> all;
  for (std::string w; in >> w;) all.push_back(w);
  return all;
}

std::string path_of(const std::string& program) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "waiting" / program;
}

}  // namespace

bool player::exists(const std::string& command) {
  return ::access(path_of(words_of(command).at(0)).c_str(), X_OK) == 0;
}

player::player(const std::string& command) : command_(command) {
  std::vector<std::string> words = words_of(command);
  words[0] = path_of(words[0]);
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  int in[2], out[2];
  bench::expect(::pipe2(in, O_CLOEXEC) == 0 && ::pipe2(out, O_CLOEXEC) == 0, "pipes to a contestant");
  pid_ = ::fork();
  bench::expect(pid_ >= 0, "a process for a contestant");
  if (pid_ == 0) {
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  to_ = in[1];
  from_ = out[0];
}

player::~player() {
  ::close(to_);
  ::close(from_);
  ::waitpid(pid_, nullptr, 0);
}

std::vector<double> player::ask(const std::string& task, const std::function<void()>& meanwhile) {
  const std::string line = task + "\n";
  bench::expect(::write(to_, line.data(), line.size()) == static_cast<ssize_t>(line.size()), command_.c_str());
  std::string answer;
  for (const double start = bench::now_ns(); !answer.ends_with('\n');) {
    pollfd p{from_, POLLIN, 0};
    const int ready = ::poll(&p, 1, meanwhile ? 1 : 1000);
    if (ready == 0 && meanwhile) meanwhile();
    const bool late = bench::now_ns() - start > patience_ns;
    char some[256];
    const ssize_t n = ready > 0 ? ::read(from_, some, sizeof some) : 1;
    if (late || n <= 0) {
      std::fprintf(stderr, "%s %s \"%s\"\n", command_.c_str(), late ? "does not answer to" : "has ended at",
                   task.c_str());
      ::kill(pid_, SIGKILL);
      std::exit(1);
    }
    if (ready > 0) answer.append(some, static_cast<std::size_t>(n));
  }
  std::vector<double> figures;
  for (const std::string& w : words_of(answer)) figures.push_back(std::stod(w));
  return figures;
}

double player::resident_kib() const {
  const std::string status = "/proc/" + std::to_string(pid_) + "/status";
  return bench::status_kib("VmRSS", status) + bench::status_kib("VmPTE", status);
}

}  // namespace waiting
