// heist::io in processes that fork, exit, or are refused a ring.

#include "tests/harsh/process.hpp"
#include "tests/io/support.hpp"
#include "tests/sandbox.hpp"

#include <algorithm>

namespace {

using namespace heist_test;

bool has_thread() {
  const auto all = heist_threads();
  return std::any_of(all.begin(), all.end(), [](const thread_seen& t) { return t.name == "heist-io"; });
}

// What a ring is for: it is not there yet.
void pass_a_byte(unsigned n = 2) {
  pipe_ends p;
  std::byte got[1];
  heist::pool(workers(n)).run([&] {
    heist::join([&] { io::read(p.out.fd(), got); },
                [&] {
                  std::this_thread::sleep_for(1ms);
                  const std::byte b[1]{std::byte{7}};
                  io::write(p.in.fd(), b);
                });
  });
  if (got[0] != std::byte{7}) std::_Exit(3);
}

class a_process : public testing::Test {
 protected:
  void SetUp() override {
#if defined(HEIST_TSAN)
    GTEST_SKIP() << "ThreadSanitizer allows no threads in the child of a process with threads";
#endif
  }
};

TEST_F(a_process, has_no_thread_for_calls_that_need_none) {
  EXPECT_ENDS_WELL(in_child([] {
    pipe_ends p;
    io::write_all(p.in.fd(), bytes("abc"));
    std::string text(3, '?');
    io::read_all(p.out.fd(), room(text));
    if (text != "abc" || has_thread()) std::_Exit(2);
  }));
}

TEST_F(a_process, has_one_thread_for_all_that_waits) {
  if (!parks()) GTEST_SKIP();
  EXPECT_ENDS_WELL(in_child([] {
    pass_a_byte();
    pass_a_byte(1);
    if (!has_thread()) std::_Exit(2);
  }));
}

TEST_F(a_process, whose_ring_exists_has_a_child_with_another_one) {
  pass_a_byte();
  EXPECT_ENDS_WELL(in_child([] {
    if (has_thread()) std::_Exit(2);
    pass_a_byte();
  }));
  pass_a_byte();
}

TEST_F(a_process, that_has_a_child_while_a_strand_waits_goes_on) {
  pipe_ends p;
  heist::pool(workers(2)).run([&] {
    heist::join(
        [&] {
          std::byte b[1];
          EXPECT_EQ(io::read(p.out.fd(), b), 1u);
        },
        [&] {
          std::this_thread::sleep_for(2ms);
          EXPECT_ENDS_WELL(in_child([] { std::_Exit(0); }));
          io::write(p.in.fd(), bytes("x"));
        });
  });
}

TEST_F(a_process, may_exit_while_a_strand_waits) {
  EXPECT_ENDS_WELL(in_child([] {
    pipe_ends p;
    heist::join(
        [&] {
          std::byte b[1];
          io::read(p.out.fd(), b);
        },
        [] {
          std::this_thread::sleep_for(2ms);
          std::_Exit(0);
        });
  }));
  EXPECT_ENDS_WELL(in_child([] {
    static pipe_ends p;
    static heist::pool pool(workers(2));
    std::thread([] {
      pool.run([] {
        std::byte b[1];
        io::read(p.out.fd(), b, std::chrono::hours(1));
      });
    }).detach();
    std::this_thread::sleep_for(5ms);
    std::quick_exit(0);
  }));
}

TEST_F(a_process, that_is_refused_a_ring_blocks) {
  for (const unsigned call : {SYS_io_uring_setup, SYS_io_uring_enter})
    for (const unsigned why : {EPERM, ENOSYS}) {
      const ending e = in_child([&] {
        if (!answer_call(call, SECCOMP_RET_ERRNO | why)) std::_Exit(77);
        pass_a_byte();
        if (parks()) std::_Exit(2);
      });
      if (e.code == 77) GTEST_SKIP() << "this kernel does not let a process refuse itself a system call";
      EXPECT_ENDS_WELL(e);
    }
}

TEST_F(a_process, is_told_of_a_wrong_variable) {
  EXPECT_ENDS_WELL(in_child([] {
    ::setenv("HEIST_IO", "fast", 1);
    pipe_ends p;
    std::string said;
    heist::pool(workers(2)).run([&] {
      try {
        std::byte b[1];
        io::read(p.out.fd(), b);
      } catch (const std::invalid_argument& e) {
        said = e.what();
      }
    });
    if (said != "heist: HEIST_IO is \"fast\", not automatic or blocking") std::_Exit(2);
  }));
}

}  // namespace
