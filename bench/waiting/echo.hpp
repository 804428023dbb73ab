#pragma once
// What the echo servers and their client share. A request is a message; so is its reply, with another number.

#include <bench/waiting/work.hpp>

#include <bench/common/bench.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace waiting {

struct message {
  word number = 0;  // the tree's seed, and in the reply its sum
  std::array<std::uint64_t, 7> rest{};
};
static_assert(sizeof(message) == 64);

// Replies go out at once.
inline void begin_talking(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in a{};
  a.sin_family = AF_INET;
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  a.sin_port = htons(port);
  return a;
}

// As many descriptors as the system lets us have.
inline void allow_many_connections() {
  rlimit l{};
  ::getrlimit(RLIMIT_NOFILE, &l);
  l.rlim_cur = l.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &l);
}

// A listening socket on a port that is free. Stays open until the process ends.
struct listener {
  listener() {
    allow_many_connections();
    sockaddr_in a = loopback(0);
    socklen_t size = sizeof a;
    bench::expect(fd >= 0 && ::bind(fd, reinterpret_cast<sockaddr*>(&a), size) == 0 && ::listen(fd, 1024) == 0 &&
                      ::getsockname(fd, reinterpret_cast<sockaddr*>(&a), &size) == 0,
                  "a port of the loopback device");
    port = ntohs(a.sin_port);
  }

  int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::uint16_t port = 0;
};

}  // namespace waiting
