#include <heist/cancelled.hpp>
#include <heist/io.hpp>
#include <heist/io/last_error.hpp>
#include <heist/io/system_call.hpp>

#include <fcntl.h>
#include <linux/openat2.h>
#include <liburing.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace heist::io {
namespace {

using detail::answer_of;
using detail::limits;
using detail::system_call;

constexpr std::int64_t at_its_position = -1;

limits limits_of(const patience& p) { return {detail::deadline_after(p.timeout()), p.stop()}; }

// The kernel transfers no more at once.
template <class Byte>
iovec part_of(std::span<Byte> all) noexcept {
  return {const_cast<std::byte*>(all.data()), std::min<std::size_t>(all.size(), 0x7ffff000)};
}

// A result of a call that an older kernel may not have.
int attempted(int result) noexcept { return result == -ENOSYS || result == -EINVAL ? -EOPNOTSUPP : result; }

// The calls -----------------------------------------------------------------------------------------------------------

struct opening final : system_call {
  opening(const char* name, int how, mode_t for_whom) noexcept
      : system_call(AT_FDCWD, 0), path(name), flags(how | O_CLOEXEC), mode(for_whom) {}

  // If the kernel has the whole path at hand, and the file is none that waits for another to be opened.
  int at_once() const noexcept override {
    if ((flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_TMPFILE) == O_TMPFILE) return -EOPNOTSUPP;
    const int it = open_known(O_PATH | (flags & (O_NOFOLLOW | O_DIRECTORY)) | O_CLOEXEC);
    if (it < 0) return it;
    struct stat s {};
    const bool simple = ::fstat(it, &s) == 0 && (S_ISREG(s.st_mode) || S_ISDIR(s.st_mode));
    ::close(it);
    return simple ? open_known(flags) : -EOPNOTSUPP;
  }
  int plain() const noexcept override { return answer_of(::open(path, flags, mode)); }
  void prepare(io_uring_sqe& e) const noexcept override {
    ::io_uring_prep_openat(&e, AT_FDCWD, path, flags, mode);
    e.flags |= IOSQE_ASYNC;  // otherwise the kernel opens a FIFO as if with O_NONBLOCK
  }

  int open_known(int how_to) const noexcept {
    open_how how{};
    how.flags = static_cast<unsigned>(how_to);
    how.resolve = RESOLVE_CACHED;
    const int result = attempted(answer_of(::syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how)));
    return result == -EAGAIN ? -EOPNOTSUPP : result;
  }

  const char* const path;
  const int flags;
  const mode_t mode;
};

struct reading final : system_call {
  reading(int of, std::span<std::byte> to, std::int64_t from) noexcept
      : system_call(of, POLLIN), buffer(part_of(to)), offset(from) {}

  int at_once() const noexcept override { return attempted(answer_of(::preadv2(fd, &buffer, 1, offset, RWF_NOWAIT))); }
  int plain() const noexcept override {
    return answer_of(offset < 0 ? ::readv(fd, &buffer, 1) : ::preadv(fd, &buffer, 1, offset));
  }
  void prepare(io_uring_sqe& e) const noexcept override {
    ::io_uring_prep_read(&e, fd, buffer.iov_base, static_cast<unsigned>(buffer.iov_len), static_cast<__u64>(offset));
  }

  const iovec buffer;
  const std::int64_t offset;
};

// The result of a write that raises no SIGPIPE.
template <class F>
int without_sigpipe(F&& write) noexcept {
  sigset_t pipe, former, pending;
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe, &former);
  const bool mine = ::sigpending(&pending) == 0 && ::sigismember(&pending, SIGPIPE) == 0;
  const int result = answer_of(write());
  if (mine) {  // it comes also with a part that was written before the reader was gone
    const timespec at_once{};
    while (::sigtimedwait(&pipe, nullptr, &at_once) < 0 && detail::last_error() == EINTR) {
    }
  }
  ::pthread_sigmask(SIG_SETMASK, &former, nullptr);
  return result;
}

struct writing final : system_call {
  writing(int of, std::span<const std::byte> from, std::int64_t to) noexcept
      : system_call(of, POLLOUT), buffer(part_of(from)), offset(to) {}

  int at_once() const noexcept override {
    return attempted(without_sigpipe([this] { return ::pwritev2(fd, &buffer, 1, offset, RWF_NOWAIT); }));
  }
  int plain() const noexcept override {
    return without_sigpipe(
        [this] { return offset < 0 ? ::writev(fd, &buffer, 1) : ::pwritev(fd, &buffer, 1, offset); });
  }
  void prepare(io_uring_sqe& e) const noexcept override {
    ::io_uring_prep_write(&e, fd, buffer.iov_base, static_cast<unsigned>(buffer.iov_len), static_cast<__u64>(offset));
  }

  const iovec buffer;
  const std::int64_t offset;
};

struct syncing final : system_call {
  explicit syncing(int of) noexcept : system_call(of, 0) {}

  int plain() const noexcept override { return answer_of(::fsync(fd)); }
  void prepare(io_uring_sqe& e) const noexcept override { ::io_uring_prep_fsync(&e, fd, 0); }
};

struct accepting final : system_call {
  explicit accepting(int of) noexcept : system_call(of, POLLIN) {}

  int plain() const noexcept override { return answer_of(::accept4(fd, nullptr, nullptr, SOCK_CLOEXEC)); }
  void prepare(io_uring_sqe& e) const noexcept override {
    ::io_uring_prep_accept(&e, fd, nullptr, nullptr, SOCK_CLOEXEC);
  }
};

struct connecting final : system_call {
  connecting(int of, const sockaddr* where, socklen_t bytes) noexcept
      : system_call(of, POLLOUT), to(where), size(bytes) {}

  int plain() const noexcept override { return answer_of(::connect(fd, to, size)); }
  void prepare(io_uring_sqe& e) const noexcept override { ::io_uring_prep_connect(&e, fd, to, size); }
  int impatient() const noexcept override {
    const int flags = ::fcntl(fd, F_GETFL);
    if (flags < 0 || ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return -detail::last_error();
    const int result = plain();
    ::fcntl(fd, F_SETFL, flags);
    return result;
  }
  bool not_yet(int result) const noexcept override { return result == -EINPROGRESS || result == -EALREADY; }

  const sockaddr* const to;
  const socklen_t size;
};

struct receiving final : system_call {
  receiving(int of, std::span<std::byte> to) noexcept : system_call(of, POLLIN), buffer(part_of(to)) {}

  int at_once() const noexcept override { return receive(MSG_DONTWAIT); }
  int plain() const noexcept override { return receive(0); }
  int receive(int flags) const noexcept { return answer_of(::recv(fd, buffer.iov_base, buffer.iov_len, flags)); }
  void prepare(io_uring_sqe& e) const noexcept override {
    ::io_uring_prep_recv(&e, fd, buffer.iov_base, buffer.iov_len, 0);
  }

  const iovec buffer;
};

struct sending final : system_call {
  sending(int of, std::span<const std::byte> from) noexcept : system_call(of, POLLOUT), buffer(part_of(from)) {}

  int at_once() const noexcept override { return send(MSG_DONTWAIT); }
  int plain() const noexcept override { return send(0); }
  int send(int flags) const noexcept {
    return answer_of(::send(fd, buffer.iov_base, buffer.iov_len, flags | MSG_NOSIGNAL));
  }
  void prepare(io_uring_sqe& e) const noexcept override {
    ::io_uring_prep_send(&e, fd, buffer.iov_base, buffer.iov_len, MSG_NOSIGNAL);
  }

  const iovec buffer;
};

struct polling final : system_call {
  polling(int of, short for_what) noexcept : system_call(of, for_what) {}

  int at_once() const noexcept override { return poll(0); }
  int plain() const noexcept override { return poll(-1); }
  int poll(int milliseconds) const noexcept {
    if (fd < 0) return -EBADF;  // ::poll would wait for nothing
    pollfd one{fd, events, 0};
    const int result = answer_of(::poll(&one, 1, milliseconds));
    if (result <= 0) return result == 0 ? -EAGAIN : result;
    return (one.revents & POLLNVAL) != 0 ? -EBADF : one.revents;
  }
  void prepare(io_uring_sqe& e) const noexcept override {
    ::io_uring_prep_poll_add(&e, fd, static_cast<unsigned>(events));
  }
};

// Results -------------------------------------------------------------------------------------------------------------

int reported(int result, std::error_code& error) noexcept {
  if (result < 0)
    error.assign(-result, std::system_category());
  else
    error.clear();
  return result;
}

std::size_t count(int result, std::error_code& error) noexcept {
  return static_cast<std::size_t>(std::max(reported(result, error), 0));
}

// The throwing form of a call: calls f(error).
template <class F>
auto throwing(const char* what, F&& f) {
  std::error_code error;
  auto result = f(error);
  if (!error) return result;
  if (error == std::errc::operation_canceled) throw cancelled();
  throw std::system_error(error, what);
}

template <class F>
void throwing_nothing_else(const char* what, F&& f) {
  throwing(what, [&](std::error_code& e) { return f(e), 0; });
}

// Makes a call of the kind for each part that is left, until everything is done, the end is reached, or one fails.
template <class Call, class Byte>
std::size_t until_done(int fd, std::span<Byte> all, std::int64_t offset, const limits& l, std::error_code& error) {
  error.clear();
  std::size_t done = 0;
  while (done < all.size()) {
    const auto at = offset < 0 ? offset : offset + static_cast<std::int64_t>(done);
    const std::size_t more = count(detail::perform(Call(fd, all.subspan(done), at), l), error);
    if (more == 0) break;
    done += more;
  }
  return done;
}

bool refused(std::int64_t offset, std::error_code& error) noexcept {
  if (offset >= 0) return false;
  reported(-EINVAL, error);
  return true;
}

}  // namespace

// Files ---------------------------------------------------------------------------------------------------------------

int open(const std::string& path, int flags, mode_t mode, const patience& p, std::error_code& error) {
  return std::max(reported(detail::perform(opening(path.c_str(), flags, mode), limits_of(p)), error), -1);
}
int open(const std::string& path, int flags, mode_t mode, const patience& p) {
  std::error_code error;
  const int fd = open(path, flags, mode, p, error);
  if (!error) return fd;
  if (error == std::errc::operation_canceled) throw cancelled();
  throw std::system_error(error, "heist::io::open: " + path);
}

std::size_t read(int fd, std::span<std::byte> to, std::int64_t offset, const patience& p, std::error_code& error) {
  return refused(offset, error) ? 0 : until_done<reading>(fd, to, offset, limits_of(p), error);
}
std::size_t read(int fd, std::span<std::byte> to, std::int64_t offset, const patience& p) {
  return throwing("heist::io::read", [&](std::error_code& e) { return read(fd, to, offset, p, e); });
}

std::size_t write(int fd, std::span<const std::byte> from, std::int64_t offset, const patience& p,
                  std::error_code& error) {
  return refused(offset, error) ? 0 : count(detail::perform(writing(fd, from, offset), limits_of(p)), error);
}
std::size_t write(int fd, std::span<const std::byte> from, std::int64_t offset, const patience& p) {
  return throwing("heist::io::write", [&](std::error_code& e) { return write(fd, from, offset, p, e); });
}

void fsync(int fd, const patience& p, std::error_code& error) {
  reported(detail::perform(syncing(fd), limits_of(p)), error);
}
void fsync(int fd, const patience& p) {
  throwing_nothing_else("heist::io::fsync", [&](std::error_code& e) { fsync(fd, p, e); });
}

// Not by the ring: nearly always it takes less time than to be handed over.
void close(int fd, std::error_code& error) {
  reported(detail::blocking_call([fd] { return answer_of(::close(fd)); }), error);
}
void close(int fd) {
  throwing_nothing_else("heist::io::close", [&](std::error_code& e) { close(fd, e); });
}

// Streams -------------------------------------------------------------------------------------------------------------

std::size_t read(int fd, std::span<std::byte> to, const patience& p, std::error_code& error) {
  return count(detail::perform(reading(fd, to, at_its_position), limits_of(p)), error);
}
std::size_t read(int fd, std::span<std::byte> to, const patience& p) {
  return throwing("heist::io::read", [&](std::error_code& e) { return read(fd, to, p, e); });
}

std::size_t write(int fd, std::span<const std::byte> from, const patience& p, std::error_code& error) {
  return count(detail::perform(writing(fd, from, at_its_position), limits_of(p)), error);
}
std::size_t write(int fd, std::span<const std::byte> from, const patience& p) {
  return throwing("heist::io::write", [&](std::error_code& e) { return write(fd, from, p, e); });
}

std::size_t read_all(int fd, std::span<std::byte> to, const patience& p, std::error_code& error) {
  return until_done<reading>(fd, to, at_its_position, limits_of(p), error);
}
std::size_t read_all(int fd, std::span<std::byte> to, const patience& p) {
  return throwing("heist::io::read_all", [&](std::error_code& e) { return read_all(fd, to, p, e); });
}

std::size_t write_all(int fd, std::span<const std::byte> from, const patience& p, std::error_code& error) {
  return until_done<writing>(fd, from, at_its_position, limits_of(p), error);
}
std::size_t write_all(int fd, std::span<const std::byte> from, const patience& p) {
  return throwing("heist::io::write_all", [&](std::error_code& e) { return write_all(fd, from, p, e); });
}
std::size_t write_all(int fd, std::span<const std::byte> from, std::int64_t offset, const patience& p,
                      std::error_code& error) {
  return refused(offset, error) ? 0 : until_done<writing>(fd, from, offset, limits_of(p), error);
}
std::size_t write_all(int fd, std::span<const std::byte> from, std::int64_t offset, const patience& p) {
  return throwing("heist::io::write_all", [&](std::error_code& e) { return write_all(fd, from, offset, p, e); });
}

// Sockets -------------------------------------------------------------------------------------------------------------

int accept(int fd, const patience& p, std::error_code& error) {
  return std::max(reported(detail::perform(accepting(fd), limits_of(p)), error), -1);
}
int accept(int fd, const patience& p) {
  return throwing("heist::io::accept", [&](std::error_code& e) { return accept(fd, p, e); });
}

void connect(int fd, const sockaddr* to, socklen_t size, const patience& p, std::error_code& error) {
  reported(detail::perform(connecting(fd, to, size), limits_of(p)), error);
}
void connect(int fd, const sockaddr* to, socklen_t size, const patience& p) {
  throwing_nothing_else("heist::io::connect", [&](std::error_code& e) { connect(fd, to, size, p, e); });
}

std::size_t recv(int fd, std::span<std::byte> to, const patience& p, std::error_code& error) {
  return count(detail::perform(receiving(fd, to), limits_of(p)), error);
}
std::size_t recv(int fd, std::span<std::byte> to, const patience& p) {
  return throwing("heist::io::recv", [&](std::error_code& e) { return recv(fd, to, p, e); });
}

std::size_t send(int fd, std::span<const std::byte> from, const patience& p, std::error_code& error) {
  return count(detail::perform(sending(fd, from), limits_of(p)), error);
}
std::size_t send(int fd, std::span<const std::byte> from, const patience& p) {
  return throwing("heist::io::send", [&](std::error_code& e) { return send(fd, from, p, e); });
}

// Any descriptor ------------------------------------------------------------------------------------------------------

short poll(int fd, short events, const patience& p, std::error_code& error) {
  return static_cast<short>(count(detail::perform(polling(fd, events), limits_of(p)), error));
}
short poll(int fd, short events, const patience& p) {
  return throwing("heist::io::poll", [&](std::error_code& e) { return poll(fd, events, p, e); });
}

}  // namespace heist::io
