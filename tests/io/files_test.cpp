// heist::io on files.

#include "tests/io/support.hpp"

#include <poll.h>
#include <sys/stat.h>

#include <atomic>
#include <cstring>
#include <numeric>
#include <vector>

namespace {

using namespace heist_test;

class a_file : public anywhere {
 protected:
  folder here;

  // Written to the disk and forgotten, as far as the system does that: the next read must wait.
  std::string cold(const std::string& name, const std::string& text) {
    const std::string path = here / name;
    const io::file f(path, O_CREAT | O_WRONLY);
    io::write_all(f.fd(), bytes(text));
    ::fsync(f.fd());
    ::posix_fadvise(f.fd(), 0, 0, POSIX_FADV_DONTNEED);
    return path;
  }
  static std::string noise(std::size_t size) {
    std::string text(size, '\0');
    unsigned x = 1;
    for (char& c : text) c = static_cast<char>((x = x * 1664525 + 1013904223) >> 24);
    return text;
  }
};
ANYWHERE(a_file);

TEST_P(a_file, is_read_as_it_was_written) {
  EXPECT_EQ(run([&] {
              const io::file f(here / "a", O_CREAT | O_RDWR | O_EXCL);
              EXPECT_EQ(io::write(f.fd(), bytes("hello, world"), 0), 12u);
              io::fsync(f.fd());
              std::string text(12, '?');
              EXPECT_EQ(io::read(f.fd(), room(text), 0), 12u);
              return text;
            }),
            "hello, world");
}

TEST_P(a_file, is_read_and_written_at_offsets_without_its_position) {
  run([&] {
    const io::file f(here / "a", O_CREAT | O_RDWR);
    io::write_all(f.fd(), bytes("0123456789"));
    EXPECT_EQ(io::write(f.fd(), bytes("ab"), 3), 2u);
    std::string text(4, '?');
    EXPECT_EQ(io::read(f.fd(), room(text), 2), 4u);
    EXPECT_EQ(text, "2ab5");
    EXPECT_EQ(::lseek(f.fd(), 0, SEEK_CUR), 10);
  });
}

TEST_P(a_file, without_an_offset_is_read_at_its_position) {
  const std::string path = cold("a", "0123456789");
  run([&] {
    const io::file f(path, O_RDONLY);
    std::string text(4, '?');
    EXPECT_EQ(io::read(f.fd(), room(text)), 4u);
    EXPECT_EQ(io::read(f.fd(), room(text)), 4u);
    EXPECT_EQ(text, "4567");
    EXPECT_EQ(io::read(f.fd(), room(text)), 2u);
    EXPECT_EQ(io::read(f.fd(), room(text)), 0u);
  });
}

TEST_P(a_file, ends_where_it_ends) {
  const std::string path = cold("a", "0123456789");
  run([&] {
    const io::file f(path, O_RDONLY);
    std::string text(100, '?');
    EXPECT_EQ(io::read(f.fd(), room(text), 0), 10u);
    EXPECT_EQ(io::read(f.fd(), room(text), 7), 3u);
    EXPECT_EQ(io::read(f.fd(), room(text), 10), 0u);
    EXPECT_EQ(io::read(f.fd(), room(text), 1'000'000), 0u);
    EXPECT_EQ(io::read(f.fd(), {}, 0), 0u);
    EXPECT_EQ(io::read_all(f.fd(), room(text)), 10u);
  });
}

TEST_P(a_file, that_is_missing_cannot_be_opened) {
  run([&] {
    try {
      io::open(here / "none", O_RDONLY);
      ADD_FAILURE() << "it was opened";
    } catch (const std::system_error& e) {
      EXPECT_EQ(e.code(), std::errc::no_such_file_or_directory);
      EXPECT_NE(std::strstr(e.what(), (here / "none").c_str()), nullptr) << e.what();
    }
    std::error_code error;
    EXPECT_EQ(io::open(here / "none", O_RDONLY, error), -1);
    EXPECT_EQ(error, std::errc::no_such_file_or_directory);
  });
}

TEST_P(a_file, that_exists_is_not_created_again) {
  const std::string path = cold("a", "");
  EXPECT_TRUE(fails_with(std::errc::file_exists,
                         [&] { return run([&] { return io::open(path, O_CREAT | O_EXCL | O_WRONLY); }); }));
}

TEST_P(a_file, gets_the_mode_and_is_closed_by_exec) {
  run([&] {
    const io::file f(here / "a", O_CREAT | O_WRONLY, 0600);
    struct stat s {};
    EXPECT_EQ(::fstat(f.fd(), &s), 0);
    EXPECT_EQ(s.st_mode & 0777, 0600u);
    EXPECT_EQ(::fcntl(f.fd(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    const io::file again(here / "a", O_RDONLY);
    EXPECT_EQ(::fcntl(again.fd(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    EXPECT_EQ(::fcntl(again.fd(), F_GETFL) & O_NONBLOCK, 0);
  });
}

TEST_P(a_file, has_no_negative_offsets) {
  const std::string path = cold("a", "0123456789");
  run([&] {
    const io::file f(path, O_RDWR);
    std::string text(4, '?');
    EXPECT_TRUE(fails_with(std::errc::invalid_argument, [&] { io::read(f.fd(), room(text), -1); }));
    EXPECT_TRUE(fails_with(std::errc::invalid_argument, [&] { io::write(f.fd(), bytes("x"), -1); }));
    EXPECT_TRUE(fails_with(std::errc::invalid_argument, [&] { io::write_all(f.fd(), bytes("x"), -2); }));
  });
}

TEST_P(a_file, that_is_a_folder_cannot_be_read) {
  run([&] {
    const io::file f(here.path(), O_RDONLY | O_DIRECTORY);
    std::string text(4, '?');
    EXPECT_TRUE(fails_with(std::errc::is_a_directory, [&] { io::read(f.fd(), room(text), 0); }));
  });
}

TEST_P(a_file, may_be_non_blocking) {
  const std::string path = cold("a", noise(100'000));
  run([&] {
    const io::file f(path, O_RDONLY | O_NONBLOCK);
    std::string text(100'000, '?');
    EXPECT_EQ(io::read(f.fd(), room(text), 0), text.size());
    EXPECT_EQ(text, noise(text.size()));
  });
}

TEST_P(a_file, is_copied_by_many_strands) {
  constexpr std::size_t size = 3'000'001, block = 64 << 10;
  const std::string all = noise(size), from = cold("from", all);
  run([&] {
    const io::file in(from, O_RDONLY), out(here / "to", O_CREAT | O_RDWR);
    heist::for_each_index(
        std::size_t{0}, (size + block - 1) / block,
        [&](std::size_t i) {
          std::vector<std::byte> buffer(block);
          const auto at = static_cast<std::int64_t>(i * block);
          const std::size_t n = io::read(in.fd(), buffer, at);
          EXPECT_EQ(n, std::min(block, size - i * block));
          EXPECT_EQ(io::write_all(out.fd(), std::span(buffer).first(n), at), n);
        },
        heist::grain{1});
    io::fsync(out.fd());
    std::string copy(size + 1, '?');
    EXPECT_EQ(io::read(out.fd(), room(copy), 0), size);
    copy.pop_back();
    EXPECT_TRUE(copy == all);
  });
}

TEST_P(a_file, one_of_many_small_ones_is_read_beside_the_others) {
  constexpr int n = 60;
  std::vector<std::string> paths;
  for (int i = 0; i < n; ++i) paths.push_back(cold(std::to_string(i), std::string(static_cast<std::size_t>(i), 'x')));
  std::atomic<long> sum{0};
  run([&] {
    heist::for_each_index(
        0, n,
        [&](int i) {
          const io::file f(paths[static_cast<std::size_t>(i)], O_RDONLY);
          std::byte buffer[1024];
          const std::size_t got = io::read(f.fd(), buffer, 0);
          EXPECT_EQ(got, static_cast<std::size_t>(i));
          sum += static_cast<long>(got);
        },
        heist::grain{1});
  });
  EXPECT_EQ(sum, long{n} * (n - 1) / 2);
}

TEST_P(a_file, that_is_a_fifo_is_opened_when_both_ends_are) {
  const std::string path = here / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  both(
      [&] {
        const io::file f(path, O_RDONLY);
        std::string text(3, '?');
        EXPECT_EQ(io::read_all(f.fd(), room(text)), 3u);
        EXPECT_EQ(text, "abc");
      },
      [&] {
        std::this_thread::sleep_for(1ms);
        const io::file f(path, O_WRONLY);
        io::write_all(f.fd(), bytes("abc"));
      });
}

TEST_P(a_file, fails_by_code_as_by_exception) {
  run([&] {
    std::string text(4, '?');
    const auto both_ways = [](const char* what, auto call) {
      std::error_code error;
      call(error);
      EXPECT_EQ(error, std::errc::bad_file_descriptor) << what;
    };
    constexpr int bad = 1'000'000;
    both_ways("read", [&](auto& e) { io::read(bad, room(text), 0, e); });
    both_ways("read a stream", [&](auto& e) { io::read(bad, room(text), e); });
    both_ways("write", [&](auto& e) { io::write(bad, bytes("x"), 0, e); });
    both_ways("write a stream", [&](auto& e) { io::write(bad, bytes("x"), e); });
    both_ways("read_all", [&](auto& e) { io::read_all(bad, room(text), e); });
    both_ways("write_all", [&](auto& e) { io::write_all(bad, bytes("x"), e); });
    both_ways("fsync", [&](auto& e) { io::fsync(bad, e); });
    both_ways("accept", [&](auto& e) { EXPECT_EQ(io::accept(bad, e), -1); });
    both_ways("recv", [&](auto& e) { io::recv(bad, room(text), e); });
    both_ways("send", [&](auto& e) { io::send(bad, bytes("x"), e); });
    both_ways("poll", [&](auto& e) { io::poll(bad, POLLIN, e); });
    both_ways("poll none", [&](auto& e) { io::poll(-1, POLLIN, e); });
    both_ways("poll with patience", [&](auto& e) { io::poll(bad, POLLIN, 1h, e); });
    both_ways("close", [&](auto& e) { io::close(bad, e); });
    EXPECT_TRUE(fails_with(std::errc::bad_file_descriptor, [&] { io::read(bad, room(text), 0); }));
    EXPECT_TRUE(fails_with(std::errc::bad_file_descriptor, [&] { io::read_all(bad, room(text)); }));
    EXPECT_TRUE(fails_with(std::errc::bad_file_descriptor, [&] { io::write_all(bad, bytes("x")); }));
    EXPECT_TRUE(fails_with(std::errc::bad_file_descriptor, [&] { io::fsync(bad); }));
    EXPECT_TRUE(fails_with(std::errc::bad_file_descriptor, [&] { io::accept(bad); }));
    EXPECT_TRUE(fails_with(std::errc::bad_file_descriptor, [&] { io::recv(bad, room(text)); }));
    EXPECT_TRUE(fails_with(std::errc::bad_file_descriptor, [&] { io::send(bad, bytes("x")); }));
    EXPECT_TRUE(fails_with(std::errc::bad_file_descriptor, [&] { io::poll(bad, POLLIN); }));
    EXPECT_TRUE(fails_with(std::errc::bad_file_descriptor, [&] { io::close(bad); }));
  });
}

TEST_P(a_file, clears_the_code_when_it_succeeds) {
  const std::string path = cold("a", "0123456789");
  run([&] {
    std::error_code error = std::make_error_code(std::errc::io_error);
    const io::file f(io::open(path, O_RDONLY, error));
    EXPECT_FALSE(error);
    error = std::make_error_code(std::errc::io_error);
    std::string text(4, '?');
    EXPECT_EQ(io::read(f.fd(), room(text), 0, error), 4u);
    EXPECT_FALSE(error);
  });
}

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

TEST(the_class_file, closes_what_it_owns) {
  const int fd = ::dup(0);
  { const io::file f(fd); }
  EXPECT_FALSE(is_open(fd));
}

TEST(the_class_file, hands_its_descriptor_over) {
  const int fd = ::dup(0);
  io::file a(fd);
  io::file b(std::move(a));
  EXPECT_FALSE(a);
  EXPECT_EQ(b.fd(), fd);
  const int other = ::dup(0);
  io::file c(other);
  c = std::move(b);
  EXPECT_EQ(c.fd(), fd);
  EXPECT_FALSE(is_open(other));
  EXPECT_EQ(c.release(), fd);
  EXPECT_FALSE(c);
  EXPECT_TRUE(is_open(fd));
  io::file(fd).close();
  EXPECT_FALSE(is_open(fd));
  EXPECT_TRUE(fails_with(std::errc::bad_file_descriptor, [&] { io::file(fd).close(); }));
}

}  // namespace
