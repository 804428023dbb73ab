// The echo servers' client: one thread, one epoll. Its task is "play PORT CONNECTIONS LEAVES STEPS REQUESTS RATE". It
// answers with requests a second, and the median and the 99th percentile of the latency in µs.
//
// RATE 0: each connection sends its next request when it has its reply. Otherwise RATE requests a second are sent, each
// by a connection that is free, and latency counts from the time at which a request was due.

#include <bench/waiting/contestant.hpp>
#include <bench/waiting/echo.hpp>
#include <bench/waiting/work.hpp>

#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

namespace {

using namespace waiting;

constexpr double give_up_after = 60e9;
constexpr std::size_t seeds = 16;

class client {
 public:
  client(std::uint16_t port, std::size_t connections, long leaves, long steps) {
    for (std::size_t i = 0; i < seeds; ++i)
      expected_[i] = tree(i, leaves, steps, [](const auto& f, const auto& g) { f(), g(); });
    const sockaddr_in to = loopback(port);
    for (std::size_t i = 0; i < connections; ++i) {
      const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      bench::expect(fd >= 0, "a socket: see ulimit -n");
      bench::expect(::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0, "a connection");
      begin_talking(fd);
      epoll_event e{};
      e.events = EPOLLIN;
      e.data.u64 = i;
      ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &e);
      connections_.push_back({fd, 0, 0, {}});
      idle_.push_back(i);
    }
  }

  client(const client&) = delete;
  client& operator=(const client&) = delete;
  ~client() {
    for (const connection& c : connections_) ::close(c.fd);
    ::close(epoll_);
  }

  // One request on each connection: the server has accepted them all then.
  void begin() { play(connections_.size(), 0); }

  figures play(std::size_t requests, double rate) {
    latencies_.clear();
    const double start = bench::now_ns(), gap = rate > 0 ? 1e9 / rate : 0;
    std::size_t sent = 0;
    while (latencies_.size() < requests) {
      const double now = bench::now_ns();
      bench::expect(now - start < give_up_after, "the server answers in time");
      const auto due = [&] { return rate > 0 ? start + static_cast<double>(sent) * gap : now; };
      for (; sent < requests && !idle_.empty() && due() <= now; ++sent) send(due(), sent);
      const bool may_send = sent < requests && !idle_.empty();
      receive(may_send ? due() - bench::now_ns() : 1e9);
    }
    const double took = bench::now_ns() - start;
    std::sort(latencies_.begin(), latencies_.end());
    const auto percentile = [&](std::size_t p) { return latencies_[(latencies_.size() - 1) * p / 100] / 1e3; };
    return {static_cast<double>(requests) / took * 1e9, percentile(50), percentile(99), 0};
  }

 private:
  struct connection {
    int fd;
    double due;        // of the request under way
    std::size_t have;  // bytes of its reply
    message reply;
  };

  void send(double due, std::size_t number) {
    const std::size_t i = idle_.front();
    idle_.pop_front();
    connection& c = connections_[i];
    c.due = due;
    c.have = 0;
    message m;
    m.number = number % seeds;
    m.rest[0] = number;
    bench::expect(::send(c.fd, &m, sizeof m, MSG_NOSIGNAL) == sizeof m, "a request is sent");
  }

  void receive(double most_ns) {
    timespec patience{};
    patience.tv_sec = static_cast<time_t>(std::max(most_ns, 0.0) / 1e9);
    patience.tv_nsec = static_cast<long>(std::max(most_ns, 0.0)) % 1'000'000'000;
    std::array<epoll_event, 256> events;
    const int n = ::epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()), &patience, nullptr);
    for (int i = 0; i < n; ++i) receive_from(events[static_cast<std::size_t>(i)].data.u64);
  }

  void receive_from(std::size_t i) {
    connection& c = connections_[i];
    const ssize_t n = ::recv(c.fd, reinterpret_cast<char*>(&c.reply) + c.have, sizeof c.reply - c.have, MSG_DONTWAIT);
    bench::expect(n > 0, "the server replies");
    c.have += static_cast<std::size_t>(n);
    if (c.have < sizeof c.reply) return;
    bench::expect(c.reply.number == expected_[c.reply.rest[0] % seeds], "the server computes");
    latencies_.push_back(bench::now_ns() - c.due);
    idle_.push_back(i);
  }

  const int epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  std::array<word, seeds> expected_{};
  std::vector<connection> connections_;
  std::deque<std::size_t> idle_;  // connections; the one that has waited longest first
  std::vector<double> latencies_;
};

}  // namespace

int main() {
  allow_many_connections();
  answer({{"play", [](arguments& a) {
             const auto port = a.next<std::uint16_t>();
             const auto connections = a.next<std::size_t>();
             const long leaves = a.next(), steps = a.next();
             const auto requests = a.next<std::size_t>();
             client c(port, connections, leaves, steps);
             c.begin();
             return c.play(requests, a.next<double>());
           }}});
}
