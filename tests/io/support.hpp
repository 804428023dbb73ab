#pragma once
// What the tests of heist::io share: places to run in, descriptors, and text as bytes.

#include "tests/support.hpp"

#include <heist/heist.hpp>
#include <heist/io.hpp>
#include <heist/io/ring.hpp>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace heist_test {

namespace io = heist::io;
using namespace std::chrono_literals;

// False: this kernel, or the variable HEIST_IO, makes the calls block.
inline bool parks() { return heist::detail::ring::get() != nullptr; }

inline std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }
inline std::span<std::byte> room(std::string& text) { return std::as_writable_bytes(std::span(text)); }

// Runs in a pool of so many workers; with 0, outside every pool.
class anywhere : public testing::TestWithParam<unsigned> {
 protected:
  template <class F>
  auto run(F f) {
    return GetParam() == 0 ? f() : heist::pool(workers(GetParam())).run(f);
  }
  // Both at once.
  template <class F, class G>
  void both(F f, G g) {
    if (GetParam() > 0) {
      heist::pool(workers(GetParam())).run([&] { heist::join(f, g); });
    } else {
      std::thread other(g);
      f();
      other.join();
    }
  }
};

#define ANYWHERE(suite)                                                                            \
  INSTANTIATE_TEST_SUITE_P(io, suite, testing::Values(0u, 1u, 2u, 8u), [](const auto& p) {         \
    return p.param == 0 ? std::string("outside") : "with_" + std::to_string(p.param) + "_workers"; \
  })

struct pipe_ends {
  pipe_ends() {
    int fd[2];
    if (::pipe2(fd, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    out = io::file(fd[0]);
    in = io::file(fd[1]);
  }
  io::file in, out;
};

struct socket_pair {
  socket_pair() {
    int fd[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0) throw std::runtime_error("no sockets");
    a = io::file(fd[0]);
    b = io::file(fd[1]);
  }
  io::file a, b;
};

class folder {
 public:
  folder() {
    char name[] = "/tmp/heist_io_XXXXXX";
    if (::mkdtemp(name) == nullptr) throw std::runtime_error("no folder");
    path_ = name;
  }
  ~folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Whether f throws std::system_error with that code.
template <class F>
testing::AssertionResult fails_with(std::errc code, F&& f) {
  try {
    f();
  } catch (const std::system_error& e) {
    if (e.code() == code) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "threw " << e.what();
  } catch (const heist::cancelled&) {
    return testing::AssertionFailure() << "was cancelled";
  }
  return testing::AssertionFailure() << "succeeded";
}

}  // namespace heist_test
