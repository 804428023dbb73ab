// Time-outs and stops of heist::io.

#include "tests/io/support.hpp"

#include <poll.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <stop_token>
#include <thread>
#include <vector>

namespace {

using namespace heist_test;
using clock_now = std::chrono::steady_clock;

class patience : public anywhere {
 protected:
  socket_pair p;
  std::string text = std::string(10, '?');
};
ANYWHERE(patience);

TEST_P(patience, ends_at_the_time_and_not_before) {
  run([&] {
    const int fd = p.a.fd();
    const auto late = [](const char* what, auto call) {
      const auto start = clock_now::now();
      std::error_code error;
      call(3ms, error);
      EXPECT_EQ(error, std::errc::timed_out) << what << ": " << error.message();
      EXPECT_GE(clock_now::now() - start, 3ms) << what;
    };
    late("recv", [&](auto t, auto& e) { EXPECT_EQ(io::recv(fd, room(text), t, e), 0u); });
    late("read", [&](auto t, auto& e) { EXPECT_EQ(io::read(fd, room(text), t, e), 0u); });
    late("read_all", [&](auto t, auto& e) { EXPECT_EQ(io::read_all(fd, room(text), t, e), 0u); });
    late("poll", [&](auto t, auto& e) { EXPECT_EQ(io::poll(fd, POLLIN, t, e), 0); });
    late("write_all", [&](auto t, auto& e) {
      const std::string much(10'000'000, 'x');
      EXPECT_LT(io::write_all(fd, bytes(much), t, e), much.size());
    });
    late("send", [&](auto t, auto& e) { EXPECT_EQ(io::send(fd, bytes("x"), t, e), 0u); });
    EXPECT_TRUE(fails_with(std::errc::timed_out, [&] { io::recv(fd, room(text), 1ms); }));
  });
}

TEST_P(patience, of_a_server_ends_when_nobody_connects) {
  const io::file l(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::listen(l.fd(), 1), 0);
  EXPECT_TRUE(fails_with(std::errc::timed_out, [&] { return run([&] { return io::accept(l.fd(), 2ms); }); }));
}

TEST_P(patience, that_is_long_enough_changes_nothing) {
  both([&] { EXPECT_EQ(io::recv(p.a.fd(), room(text), 1h), 3u); },
       [&] {
         std::this_thread::sleep_for(1ms);
         io::send(p.b.fd(), bytes("abc"), 1h);
       });
}

TEST_P(patience, may_be_longer_than_any_clock) {
  both([&] { EXPECT_EQ(io::recv(p.a.fd(), room(text), std::chrono::hours::max()), 3u); },
       [&] {
         std::this_thread::sleep_for(1ms);
         io::send(p.b.fd(), bytes("abc"));
       });
}

TEST_P(patience, of_none_still_takes_what_is_there) {
  run([&] {
    for (const auto none : {0ms, -5ms}) {
      io::write_all(p.b.fd(), bytes("abc"));
      EXPECT_EQ(io::recv(p.a.fd(), room(text), none), 3u);
      std::error_code error;
      EXPECT_EQ(io::recv(p.a.fd(), room(text), none, error), 0u);
      EXPECT_EQ(error, std::errc::timed_out);
    }
  });
}

TEST_P(patience, that_ends_gives_what_was_read_so_far) {
  run([&] {
    io::write_all(p.b.fd(), bytes("abc"));
    std::error_code error;
    EXPECT_EQ(io::read_all(p.a.fd(), room(text), 2ms, error), 3u);
    EXPECT_EQ(error, std::errc::timed_out);
    EXPECT_EQ(text.substr(0, 3), "abc");
  });
}

TEST_P(patience, is_over_before_the_call_if_the_stop_is) {
  std::stop_source stop;
  stop.request_stop();
  run([&] {
    io::write_all(p.b.fd(), bytes("abc"));
    EXPECT_THROW(io::recv(p.a.fd(), room(text), stop.get_token()), heist::cancelled);
    EXPECT_THROW(io::open("/", O_RDONLY, 0, stop.get_token()), heist::cancelled);
    std::error_code error;
    EXPECT_EQ(io::recv(p.a.fd(), room(text), stop.get_token(), error), 0u);
    EXPECT_EQ(error, std::errc::operation_canceled);
    EXPECT_EQ(io::recv(p.a.fd(), room(text)), 3u);  // all of it is still there
  });
}

TEST_P(patience, ends_with_a_stop) {
  std::stop_source stop;
  both(
      [&] {
        EXPECT_THROW(io::recv(p.a.fd(), room(text), stop.get_token()), heist::cancelled);
        io::write_all(p.a.fd(), bytes("x"));
        EXPECT_EQ(io::recv(p.a.fd(), room(text)), 3u);
      },
      [&] {
        std::this_thread::sleep_for(2ms);
        stop.request_stop();
        std::string stopped(1, '?');
        EXPECT_EQ(io::recv(p.b.fd(), room(stopped)), 1u);
        io::write_all(p.b.fd(), bytes("abc"));
      });
}

TEST_P(patience, is_not_asked_after_the_call) {
  std::stop_source stop;
  run([&] {
    io::write_all(p.b.fd(), bytes("abc"));
    EXPECT_EQ(io::recv(p.a.fd(), room(text), stop.get_token()), 3u);
    stop.request_stop();
  });
}

TEST_P(patience, may_be_a_time_and_a_token) {
  std::stop_source stop;
  both(
      [&] {
        EXPECT_TRUE(fails_with(std::errc::timed_out, [&] { io::recv(p.a.fd(), room(text), {1ms, stop.get_token()}); }));
        io::write_all(p.a.fd(), bytes("x"));
        EXPECT_THROW(io::recv(p.a.fd(), room(text), {1h, stop.get_token()}), heist::cancelled);
      },
      [&] {
        std::string late(1, '?');
        EXPECT_EQ(io::recv(p.b.fd(), room(late)), 1u);
        std::this_thread::sleep_for(1ms);
        stop.request_stop();
      });
}

TEST_P(patience, that_ends_at_any_moment_loses_no_byte) {
  const int rounds = 3000;
  both(
      [&] {
        int got = 0;
        for (int i = 0; got < rounds; ++i) {
          std::byte b[1];
          std::error_code error;
          const std::size_t n = io::recv(p.a.fd(), b, std::chrono::microseconds(i % 40), error);
          if (n == 0) {
            ASSERT_EQ(error, std::errc::timed_out);
          } else {
            ASSERT_EQ(b[0], static_cast<std::byte>(got++));
          }
        }
      },
      [&] {
        for (int i = 0; i < rounds; ++i) {
          const std::byte b[1]{static_cast<std::byte>(i)};
          ASSERT_EQ(io::send(p.b.fd(), b), 1u);
          if (i % 8 == 0) std::this_thread::yield();
        }
      });
}

TEST_P(patience, that_is_stopped_at_any_moment_loses_no_byte) {
  const int rounds = 200;  // all of them fit into a socket
  socket_pair orders;
  std::stop_source stop[rounds];
  both(
      [&] {
        int got = 0;
        for (int i = 0; i < rounds; ++i) {
          std::byte b[1];
          ASSERT_EQ(io::recv(orders.a.fd(), b), 1u);
          std::error_code error;
          const std::size_t n = io::recv(p.a.fd(), b, stop[i].get_token(), error);
          if (n == 0) {
            ASSERT_EQ(error, std::errc::operation_canceled);
          } else {
            ASSERT_EQ(b[0], static_cast<std::byte>(got++));
          }
        }
        for (std::byte b[1]; got < rounds; ++got) {
          ASSERT_EQ(io::recv(p.a.fd(), b), 1u);
          ASSERT_EQ(b[0], static_cast<std::byte>(got));
        }
      },
      [&] {
        for (int i = 0; i < rounds; ++i) {
          const std::byte b[1]{static_cast<std::byte>(i)};
          ASSERT_EQ(io::send(orders.b.fd(), b), 1u);
          for (volatile int spin = 0; spin < (i % 50) * 100;) spin = spin + 1;
          if (i % 2 == 0) stop[i].request_stop();
          ASSERT_EQ(io::send(p.b.fd(), b), 1u);
          if (i % 2 != 0) stop[i].request_stop();
        }
      });
}

TEST_P(patience, of_many_ends_with_one_stop) {
  if (GetParam() == 0) GTEST_SKIP() << "strands";
  const int n = parks() ? 500 : 30;
  std::stop_source stop;
  std::atomic<int> ended{0};
  run([&] {
    heist::scope s;
    for (int i = 0; i < n; ++i)
      s.spawn([&] {
        std::byte b[1];
        std::error_code error;
        io::recv(p.a.fd(), b, {1h, stop.get_token()}, error);
        ended += error == std::errc::operation_canceled;
      });
    stop.request_stop();
  });
  EXPECT_EQ(ended, n);
}

TEST_P(patience, ends_the_opening_of_a_fifo) {
  if (!parks()) GTEST_SKIP() << "a thread in open() cannot be called back";
  folder here;
  const std::string path = here / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  run([&] {
    EXPECT_TRUE(fails_with(std::errc::timed_out, [&] { io::open(path, O_RDONLY, 0, 2ms); }));
    EXPECT_TRUE(fails_with(std::errc::timed_out, [&] { io::open(path, O_WRONLY, 0, 2ms); }));
  });
}

TEST_P(patience, of_files_lets_them_finish) {
  folder here;
  run([&] {
    std::stop_source stop;
    const io::file f(io::open(here / "a", O_CREAT | O_RDWR, 0600, {1h, stop.get_token()}));
    EXPECT_EQ(io::write_all(f.fd(), bytes("abc"), 0, {1h, stop.get_token()}), 3u);
    io::fsync(f.fd(), {1h, stop.get_token()});
    EXPECT_EQ(io::read(f.fd(), room(text), 0, {1h, stop.get_token()}), 3u);
    EXPECT_EQ(io::read(f.fd(), room(text), {1h, stop.get_token()}), 3u);
  });
}

TEST(a_call_that_nobody_wants, ends_when_its_root_is_stopped) {
  heist::pool pool({.workers = 2});
  socket_pair p;
  std::string text(10, '?');
  std::stop_source source;
  std::atomic<bool> begun{false};
  std::thread stopper([&] {
    EXPECT_TRUE(eventually([&] { return begun.load(); }));
    source.request_stop();
  });
  EXPECT_THROW(pool.run([&] {
    begun = true;
    io::recv(p.a.fd(), room(text));
  }, source.get_token()), heist::cancelled);
  stopper.join();
}

TEST(a_call_that_nobody_wants, ends_in_every_child_when_the_scope_is_stopped) {
  heist::pool pool({.workers = 2});
  socket_pair p;
  pipe_ends q;
  const io::file listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::listen(listener.fd(), 1), 0);
  std::atomic<int> begun{0}, cancelled{0};
  auto wait_in = [&](auto call) {
    return [&, call] {
      ++begun;
      EXPECT_THROW(call(), heist::cancelled);
      ++cancelled;
    };
  };
  std::stop_source source;
  std::thread stopper([&] {
    EXPECT_TRUE(eventually([&] { return begun == 5; }));
    source.request_stop();
  });
  pool.run([&] {
    heist::scope s(source.get_token());
    std::string text(10, '?'), more(10, '?');
    std::error_code error;
    s.spawn(wait_in([&] { io::recv(p.a.fd(), room(text)); }));
    s.spawn(wait_in([&] { io::read(q.out.fd(), room(more), 1h); }));
    s.spawn(wait_in([&] { io::accept(listener.fd()); }));
    s.spawn(wait_in([&] { io::poll(p.b.fd(), POLLIN); }));
    s.spawn([&] {
      ++begun;
      std::byte one;
      io::recv(p.b.fd(), std::span(&one, 1), error);
    });
    s.sync();
    EXPECT_EQ(error, std::errc::operation_canceled);
  });
  EXPECT_EQ(cancelled, 4);
  stopper.join();
}

TEST(a_call_that_nobody_wants, ends_when_something_before_it_fails) {
  heist::pool pool({.workers = 2});
  socket_pair p;
  std::atomic<bool> begun{false};
  EXPECT_THROW(pool.run([&] {
    heist::join(
        [&] {
          while (!begun) heist::sleep_for(1ms);
          throw std::runtime_error("no");
        },
        [&] {
          begun = true;
          std::byte one;
          io::recv(p.a.fd(), std::span(&one, 1));
        });
  }), std::runtime_error);
}

}  // namespace
