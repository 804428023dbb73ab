#pragma once
// Servers and programs that a test starts, on this machine, and ends.

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace heist_test {

inline void nap(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

// A child process; what it says goes into files. It ends with the test at the latest.
class process {
 public:
  process(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment = {}) {
    static int count = 0;
    said_in_ = testing::TempDir() + "heist_cluster_" + std::to_string(::getpid()) + "_" + std::to_string(++count);
    std::vector<char*> argv;
    for (const std::string& s : command) argv.push_back(const_cast<char*>(s.c_str()));
    argv.push_back(nullptr);
    const pid_t parent = ::getpid();
    id_ = ::fork();
    if (id_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(126);
    for (const int which : {1, 2}) ::dup2(::open(file(which).c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), which);
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  ~process() {
    if (!status_) {
      signal(SIGKILL);
      wait();
    }
    for (const int which : {1, 2}) ::unlink(file(which).c_str());
  }
  process(const process&) = delete;
  process& operator=(const process&) = delete;

  pid_t id() const { return id_; }
  void signal(int number) const { ::kill(id_, number); }
  bool running() {
    int status = 0;
    if (!status_ && ::waitpid(id_, &status, WNOHANG) == id_) status_ = status;
    return !status_;
  }
  // Its exit status; minus the signal that has ended it. One that hangs is ended, and said so, before the whole test is.
  int wait() {
    for (int tries = 0; running() && tries < 12000; ++tries) nap(10);
    if (running()) {
      ADD_FAILURE() << "the process " << id_ << " hangs; it has said: " << said();
      signal(SIGKILL);
    }
    int status = 0;
    if (!status_ && ::waitpid(id_, &status, 0) == id_) status_ = status;
    return WIFEXITED(*status_) ? WEXITSTATUS(*status_) : -WTERMSIG(*status_);
  }
  // On standard output, then on standard error.
  std::string said() const { return content(1) + content(2); }
  // Of standard output.
  std::string first_line() const { return content(1).substr(0, content(1).find('\n')); }
  // Until it has said that.
  void await(const std::string& text) {
    while (said().find(text) == std::string::npos && running()) nap(5);
  }

 private:
  std::string file(int which) const { return said_in_ + (which == 1 ? ".out" : ".err"); }
  std::string content(int which) const {
    std::ifstream in(file(which));
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
  }

  pid_t id_ = 0;
  std::string said_in_;
  std::optional<int> status_;
};

inline bool can_connect(int port) {
  const int s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool there = ::connect(s, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
  ::close(s);
  return there;
}

inline int free_port() {
  const int s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  ::bind(s, reinterpret_cast<sockaddr*>(&at), sizeof at);
  ::getsockname(s, reinterpret_cast<sockaddr*>(&at), &size);
  ::close(s);
  return ntohs(at.sin_port);
}

// nats-server on a free port of the loopback.
class server {
 public:
  enum class keeps : bool { nothing, notes };
  explicit server(keeps what = keeps::nothing) : keeps_(what) {
    for (int attempts = 0; attempts < 20 && !there(); ++attempts) {
      port_ = free_port();
      monitor_ = free_port();
      start();
    }
    EXPECT_TRUE(there()) << "nats-server does not start: is it installed? (script/bootstrap test)";
  }
  ~server() {
    it_.reset();
    std::filesystem::remove_all(folder_);
  }
  server(const server&) = delete;
  server& operator=(const server&) = delete;

  void start() {
    std::vector<std::string> command{"nats-server", "-a", "127.0.0.1", "-p", std::to_string(port_), "-m",
                                     std::to_string(monitor_), "--auth", token_};
    if (keeps_ == keeps::notes) command.insert(command.end(), {"-js", "-sd", folder_});
    it_ = std::make_unique<process>(command);
    while (it_->running() && !can_connect(port_)) nap(5);
  }
  void kill() {
    it_->signal(SIGKILL);
    it_->wait();
  }
  int port() const { return port_; }
  std::string address() const { return address(token_); }
  std::string address(const std::string& token) const {
    return "nats://" + token + "@127.0.0.1:" + std::to_string(port_) + "/test";
  }
  // How many messages clients have sent so far; how many entries the server keeps.
  long messages() const { return monitored("/varz", "\"in_msgs\":"); }
  long kept() const { return monitored("/jsz", "\"messages\":"); }

 private:
  long monitored(const std::string& page, const std::string& name) const {
    const int s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(monitor_));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string answer;
    if (::connect(s, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) {
      const std::string ask = "GET " + page + " HTTP/1.0\r\n\r\n";
      if (::write(s, ask.data(), ask.size()) > 0) {
        char block[4096];
        for (ssize_t n; (n = ::read(s, block, sizeof block)) > 0;) answer.append(block, static_cast<std::size_t>(n));
      }
    }
    ::close(s);
    const auto at = answer.find(name);
    return at == std::string::npos ? -1 : std::atol(answer.c_str() + at + name.size());
  }

  bool there() const { return it_ != nullptr && it_->running() && can_connect(port_); }

  static std::string fresh_token() {
    static int count = 0;
    return "secret" + std::to_string(::getpid()) + "_" + std::to_string(++count);
  }

  const keeps keeps_;
  // Two tests may find the same port free at the same time. Nobody is to take the other's server for its own.
  const std::string token_ = fresh_token();
  const std::string folder_ = testing::TempDir() + "heist_cluster_js_" + std::to_string(::getpid());
  int port_ = 0, monitor_ = 0;
  std::unique_ptr<process> it_;
};

// The program under test, as a node of the job at that server.
class node_process : public process {
 public:
  template <class Server>
  node_process(const std::string& role, const Server& at, const std::vector<std::string>& root,
               std::map<std::string, std::string> more = {}, const std::string& program = CLUSTER_PROGRAM)
      : process(with_program(program, root), environment(role, at, std::move(more))) {}

 private:
  static std::vector<std::string> with_program(const std::string& program, std::vector<std::string> root) {
    root.insert(root.begin(), program);
    return root;
  }
  template <class Server>
  static std::map<std::string, std::string> environment(const std::string& role, const Server& at,
                                                        std::map<std::string, std::string> more) {
    more.try_emplace("HEIST_CLUSTER", at.address());
    more.try_emplace("HEIST_WORKERS", "1");
    more["HEIST_CLUSTER_ROLE"] = role;
    return more;
  }
};

// A driver and helpers.
struct job {
  template <class Server>
  job(const Server& at, std::size_t helpers_wanted, const std::vector<std::string>& root,
      std::map<std::string, std::string> more = {}, const std::map<std::string, std::string>& for_the_driver = {}) {
    for (std::size_t i = 0; i < helpers_wanted; ++i)
      helpers.push_back(std::make_unique<node_process>("helper", at, root, more));
    more["TEST_WAIT_FOR_PEERS"] = std::to_string(helpers_wanted);
    for (const auto& [name, value] : for_the_driver) more[name] = value;
    driver = std::make_unique<node_process>("driver", at, root, more);
  }
  std::vector<std::unique_ptr<node_process>> helpers;
  std::unique_ptr<node_process> driver;

  // The driver prints that and ends well, and so do all helpers.
  void must_give(const std::string& value) {
    EXPECT_EQ(driver->wait(), 0) << driver->said();
    EXPECT_EQ(driver->first_line(), value) << driver->said();
    for (auto& h : helpers) EXPECT_EQ(h->wait(), 0) << h->said();
  }

  // All are there, and the root runs. Before that nobody may be killed: the driver waits for all of them.
  void await_root() { driver->await("the root begins"); }

  // "lent 3 returned 2 …": the number after that word.
  long figure(const std::string& name) const {
    const std::string all = driver->said();
    const auto at = all.find(name + " ");
    return at == std::string::npos ? -1 : std::atol(all.c_str() + at + name.size() + 1);
  }
};

}  // namespace heist_test
