// heist::io on sockets: of this machine only.

#include "tests/io/support.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>

#include <atomic>

namespace {

using namespace heist_test;

struct listener {
  explicit listener(int backlog = 1024) : socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(socket.fd(), where(), size) != 0 || ::listen(socket.fd(), backlog) != 0 ||
        ::getsockname(socket.fd(), where(), &size) != 0)
      throw std::runtime_error("no listening socket");
  }
  sockaddr* where() { return reinterpret_cast<sockaddr*>(&address); }

  io::file connect(const io::patience& p = {}) {
    io::file s(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    io::connect(s.fd(), where(), sizeof address, p);
    return s;
  }

  sockaddr_in address{};
  io::file socket;
};

class a_socket : public anywhere {};
ANYWHERE(a_socket);

TEST_P(a_socket, connects_to_one_that_accepts) {
  listener l;
  both(
      [&] {
        const io::file s(io::accept(l.socket.fd()));
        EXPECT_EQ(::fcntl(s.fd(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
        std::string text(5, '?');
        EXPECT_EQ(io::read_all(s.fd(), room(text)), 5u);
        EXPECT_EQ(text, "hello");
        EXPECT_EQ(io::send(s.fd(), bytes("world!")), 6u);
      },
      [&] {
        std::this_thread::sleep_for(1ms);
        const io::file s = l.connect();
        EXPECT_EQ(io::send(s.fd(), bytes("hello")), 5u);
        std::string text(10, '?');
        EXPECT_EQ(io::recv(s.fd(), room(text)), 6u);
        EXPECT_EQ(text.substr(0, 6), "world!");
        EXPECT_EQ(io::recv(s.fd(), room(text)), 0u);
      });
}

TEST_P(a_socket, is_refused_where_nobody_listens) {
  sockaddr_in nowhere = listener().address;
  run([&] {
    const io::file s(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_TRUE(fails_with(std::errc::connection_refused,
                           [&] { io::connect(s.fd(), reinterpret_cast<sockaddr*>(&nowhere), sizeof nowhere); }));
    const io::file other(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_TRUE(fails_with(std::errc::connection_refused, [&] {
      io::connect(other.fd(), reinterpret_cast<sockaddr*>(&nowhere), sizeof nowhere, 1h);
    }));
  });
}

TEST_P(a_socket, may_be_non_blocking) {
  listener l;
  ASSERT_EQ(::fcntl(l.socket.fd(), F_SETFL, O_NONBLOCK), 0);
  both(
      [&] {
        const io::file s(io::accept(l.socket.fd()));
        io::write_all(s.fd(), bytes("hello"));
      },
      [&] {
        std::this_thread::sleep_for(1ms);
        const io::file s(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        io::connect(s.fd(), l.where(), sizeof l.address);
        std::string text(5, '?');
        EXPECT_EQ(io::read_all(s.fd(), room(text)), 5u);
        EXPECT_EQ(text, "hello");
      });
}

TEST_P(a_socket, connects_and_accepts_within_a_time) {
  listener l;
  both([&] { EXPECT_TRUE(io::file(io::accept(l.socket.fd(), 1h))); },
       [&] {
         const io::file s = l.connect(1h);
         EXPECT_EQ(::fcntl(s.fd(), F_GETFL) & O_NONBLOCK, 0);
       });
}

TEST_P(a_socket, gives_up_what_is_not_accepted_in_time) {
  listener l(0);
  run([&] {
    std::vector<io::file> waiting;
    std::error_code error;
    // A queue of one, or a few: then the system no longer answers.
    for (int i = 0; i < 8 && !error; ++i) {
      waiting.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
      io::connect(waiting.back().fd(), l.where(), sizeof l.address, 30ms, error);
    }
    EXPECT_EQ(error, std::errc::timed_out);
  });
}

TEST_P(a_socket, without_another_end_fails_and_raises_no_signal) {
  socket_pair p;
  p.b.close();
  run([&] {
    EXPECT_TRUE(fails_with(std::errc::broken_pipe, [&] { io::send(p.a.fd(), bytes("x")); }));
    EXPECT_TRUE(fails_with(std::errc::broken_pipe, [&] { io::write_all(p.a.fd(), bytes("x")); }));
  });
}

TEST_P(a_socket, sends_more_than_fits) {
  socket_pair p;
  const std::string all(2'000'000, 'x');
  both(
      [&] {
        for (std::size_t sent = 0; sent < all.size();) sent += io::send(p.a.fd(), bytes(all).subspan(sent));
        p.a.close();
      },
      [&] {
        std::string text(65536, '?');
        std::size_t got = 0;
        while (const std::size_t n = io::recv(p.b.fd(), room(text))) got += n;
        EXPECT_EQ(got, all.size());
      });
}

TEST_P(a_socket, that_is_shut_down_ends_the_calls_on_it) {
  socket_pair p;
  both(
      [&] {
        std::string text(5, '?');
        EXPECT_EQ(io::recv(p.a.fd(), room(text)), 0u);
      },
      [&] {
        std::this_thread::sleep_for(1ms);
        ::shutdown(p.a.fd(), SHUT_RDWR);
      });
}

TEST(a_socket_in_use, that_is_closed_goes_on_for_the_strand_that_waits) {
  if (!parks()) GTEST_SKIP() << "when a thread has begun to wait cannot be seen";
  socket_pair p;
  heist::pool pool(workers(2));
  pool.run([&] {
    heist::join(
        [&] {
          std::string text(5, '?');
          EXPECT_EQ(io::recv(p.a.fd(), room(text)), 5u);
          EXPECT_EQ(text, "hello");
        },
        [&] {
          EXPECT_TRUE(eventually([&] { return pool.stats().waiting == 1; }));
          // What the ring's thread is asked for later, the kernel gets later: now it has the other one.
          std::error_code error;
          io::poll(p.b.fd(), POLLIN, 1ms, error);
          EXPECT_EQ(error, std::errc::timed_out);
          p.a.close();
          io::write_all(p.b.fd(), bytes("hello"));
        });
  });
}

// Every connection sends a few messages and gets each of them back.
void echo(int connections, int rounds, unsigned n) {
  listener l(4096);
  std::atomic<int> good{0};
  heist::pool(workers(n)).run([&] {
    heist::scope all;
    all.spawn([&] {
      heist::scope served;
      for (int i = 0; i < connections; ++i)
        served.spawn([s = io::file(io::accept(l.socket.fd()))] {
          std::byte buffer[64];
          while (const std::size_t got = io::recv(s.fd(), buffer)) io::write_all(s.fd(), std::span(buffer).first(got));
        });
    });
    for (int i = 0; i < connections; ++i)
      all.spawn([&, i] {
        const io::file s = l.connect();
        for (int r = 0; r < rounds; ++r) {
          const std::string mine = std::to_string(i) + "/" + std::to_string(r);
          std::string back(mine.size(), '?');
          io::write_all(s.fd(), bytes(mine));
          io::read_all(s.fd(), room(back));
          good += back == mine;
        }
      });
  });
  EXPECT_EQ(good, connections * rounds);
}

TEST(an_echo_server, serves_a_thousand_connections_with_two_workers) {
  // Otherwise each takes a thread, and there are fewer of them.
  echo(parks() ? 1000 : 50, 3, 2);
}
TEST(an_echo_server, serves_a_hundred_connections_with_one_worker) { echo(parks() ? 100 : 20, 10, 1); }

}  // namespace
