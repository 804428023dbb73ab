// heist::io on pipes.

#include "tests/io/support.hpp"

#include <poll.h>

#include <atomic>
#include <vector>

namespace {

using namespace heist_test;

class a_pipe : public anywhere {
 protected:
  pipe_ends p;
};
ANYWHERE(a_pipe);

TEST_P(a_pipe, is_waited_for) {
  both(
      [&] {
        std::string text(10, '?');
        EXPECT_EQ(io::read(p.out.fd(), room(text)), 3u);
        EXPECT_EQ(text.substr(0, 3), "abc");
      },
      [&] {
        std::this_thread::sleep_for(1ms);
        EXPECT_EQ(io::write(p.in.fd(), bytes("abc")), 3u);
      });
}

TEST_P(a_pipe, takes_memory_by_address_and_size_and_texts) {
  run([&] {
    char room[16] = "";
    std::error_code error;
    EXPECT_EQ(io::write(p.in.fd(), "hello", 2), 2u);
    EXPECT_EQ(io::write_all(p.in.fd(), "ab"), 2u);
    EXPECT_EQ(io::write_all(p.in.fd(), std::string("cd"), 1s, error), 2u);
    EXPECT_EQ(io::read_all(p.out.fd(), room, 4, 1s), 4u);
    EXPECT_EQ(io::read(p.out.fd(), room + 4, sizeof room - 4, error), 2u);
    EXPECT_STREQ(room, "heabcd");
    EXPECT_TRUE(fails_with(std::errc::invalid_seek, [&] { io::read(p.out.fd(), room, 1, 0); }));
    EXPECT_TRUE(fails_with(std::errc::not_a_socket, [&] { io::recv(p.out.fd(), room, 1); }));
    EXPECT_TRUE(fails_with(std::errc::not_a_socket, [&] { io::send(p.in.fd(), "x"); }));
  });
}

TEST_P(a_pipe, ends_when_its_writer_closes_it) {
  both(
      [&] {
        std::string text(10, '?');
        EXPECT_EQ(io::read_all(p.out.fd(), room(text)), 3u);
        EXPECT_EQ(io::read(p.out.fd(), room(text)), 0u);
      },
      [&] {
        io::write_all(p.in.fd(), bytes("ab"));
        std::this_thread::sleep_for(1ms);
        io::write_all(p.in.fd(), bytes("c"));
        p.in.close();
      });
}

TEST_P(a_pipe, has_no_offsets) {
  run([&] {
    std::string text(4, '?');
    EXPECT_TRUE(fails_with(std::errc::invalid_seek, [&] { io::read(p.out.fd(), room(text), 0); }));
    EXPECT_TRUE(fails_with(std::errc::invalid_seek, [&] { io::write(p.in.fd(), bytes("x"), 0); }));
  });
}

TEST_P(a_pipe, takes_more_than_it_holds) {
  std::string all(1 << 20, 'x');
  for (std::size_t i = 0; i < all.size(); i += 997) all[i] = static_cast<char>('a' + i % 26);
  both([&] { EXPECT_EQ(io::write_all(p.in.fd(), bytes(all)), all.size()); },
       [&] {
         std::string text(all.size(), '?');
         EXPECT_EQ(io::read_all(p.out.fd(), room(text)), all.size());
         EXPECT_TRUE(text == all);
       });
}

TEST_P(a_pipe, may_be_non_blocking) {
  ASSERT_EQ(::fcntl(p.in.fd(), F_SETFL, O_NONBLOCK), 0);
  ASSERT_EQ(::fcntl(p.out.fd(), F_SETFL, O_NONBLOCK), 0);
  const std::string all(300'000, 'x');
  both(
      [&] {
        std::string text(all.size(), '?');
        EXPECT_EQ(io::read_all(p.out.fd(), room(text)), all.size());
        EXPECT_TRUE(text == all);
      },
      [&] {
        std::this_thread::sleep_for(1ms);
        EXPECT_EQ(io::write_all(p.in.fd(), bytes(all)), all.size());
      });
}

TEST_P(a_pipe, without_a_reader_fails_and_raises_no_signal) {
  p.out.close();
  run([&] {
    std::error_code error;
    io::write(p.in.fd(), bytes("x"), error);
    EXPECT_EQ(error, std::errc::broken_pipe);
    EXPECT_TRUE(fails_with(std::errc::broken_pipe, [&] { io::write_all(p.in.fd(), bytes("x"), 1h); }));
  });
}

TEST_P(a_pipe, that_loses_its_reader_fails_its_writer) {
  both(
      [&] {
        const std::string all(1 << 20, 'x');
        std::error_code error;
        EXPECT_LT(io::write_all(p.in.fd(), bytes(all), error), all.size());
        EXPECT_EQ(error, std::errc::broken_pipe);
      },
      [&] {
        std::this_thread::sleep_for(1ms);
        p.out.close();
      });
}

TEST_P(a_pipe, is_polled) {
  const int in = p.in.fd();  // what orders the two is seen by the kernel only
  both(
      [&] {
        EXPECT_EQ(io::poll(p.out.fd(), POLLIN), POLLIN);
        EXPECT_EQ(io::poll(in, POLLOUT), POLLOUT);
        std::string text(1, '?');
        io::read(p.out.fd(), room(text));
        EXPECT_EQ(io::poll(p.out.fd(), POLLIN) & POLLHUP, POLLHUP);
      },
      [&] {
        std::this_thread::sleep_for(1ms);
        io::write(p.in.fd(), bytes("x"));
        std::error_code nothing_left;
        while (!nothing_left) {
          heist::sleep_for(1ms);
          io::poll(p.out.fd(), POLLIN, 0ms, nothing_left);
        }
        EXPECT_EQ(nothing_left, std::errc::timed_out);
        p.in.close();
      });
}

TEST_P(a_pipe, and_another_pass_a_byte_back_and_forth) {
  pipe_ends back;
  const int rounds = 500;
  const auto serve = [&](int from, int to, bool first) {
    std::byte b[1]{};
    for (int i = 0; i < rounds; ++i) {
      if (first) {
        b[0] = static_cast<std::byte>(i);
        EXPECT_EQ(io::write(to, b), 1u);
      }
      EXPECT_EQ(io::read(from, b), 1u);
      EXPECT_EQ(b[0], static_cast<std::byte>(i));
      if (!first) {
        EXPECT_EQ(io::write(to, b), 1u);
      }
    }
  };
  both([&] { serve(back.out.fd(), p.in.fd(), true); }, [&] { serve(p.out.fd(), back.in.fd(), false); });
}

TEST(a_strand_that_reads, leaves_its_worker_to_others) {
  constexpr int n = 200;
  pipe_ends p;
  heist::pool pool(workers(1));
  std::atomic<int> got{0};
  pool.run([&] {
    heist::scope s;
    for (int i = 0; i < n; ++i)
      s.spawn([&] {
        std::byte b[1];
        got += static_cast<int>(io::read(p.out.fd(), b));
      });
    EXPECT_EQ(got, 0);
    if (parks()) {
      EXPECT_EQ(pool.stats().waiting, std::size_t{n});
    }
    const std::string all(n, 'x');
    io::write_all(p.in.fd(), bytes(all));
  });
  EXPECT_EQ(got, n);
}

TEST(a_strand_that_always_finds_something, lets_others_go_on) {
  pipe_ends p;
  heist::pool pool(workers(1));
  std::atomic<bool> awake{false};
  pool.detach([&] {
    heist::sleep_for(2ms);
    awake = true;
  });
  pool.detach([&] {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (!awake && std::chrono::steady_clock::now() < deadline) {
      io::write_all(p.in.fd(), bytes("x"));
      std::string text(1, '?');
      EXPECT_EQ(io::read(p.out.fd(), room(text)), 1u);
    }
    EXPECT_TRUE(awake);
  });
  pool.wait_idle();
}

}  // namespace
