#pragma once
// Input and output: calls that look as if they blocked, and park the strand instead. Link with heist::io.

#include <heist/base/export.hpp>
#include <heist/wait/deadline.hpp>

#include <sys/socket.h>
#include <sys/types.h>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

HEIST_BEGIN

// While a strand waits in one of these calls, its worker runs something else; a strand may return on another thread. In
// a thread outside every pool they block. If the kernel refuses io_uring, they block the worker's thread, and another one
// takes its place (docs/reference/environment.md: HEIST_IO).
//
// Descriptors are the system's. O_NONBLOCK makes no difference. Writing to what nobody reads any more never raises
// SIGPIPE.
//
// Every call comes in three forms:
//
//   io::read(fd, bytes)                  throws std::system_error if it fails
//   io::read(fd, bytes, error)           sets the std::error_code, or clears it
//   io::read(fd, bytes, 2s, error)       the same, with a time-out; both may also be given alone
//
// A descriptor must not be closed while a call uses it: its number may be given to another file in the midst of that.
// If it is closed all the same, a call that already waits goes on waiting. To end the calls on a socket, use
// ::shutdown(), or request a stop.
namespace heist::io {

// How long a call may take: a time-out, a stop token, or both. Where a call takes one, each of these will do:
//
//   io::recv(fd, bytes, 100ms)           std::errc::timed_out when the time is over
//   io::recv(fd, bytes, token)           throws heist::cancelled when a stop is requested; as a code:
//                                        std::errc::operation_canceled
//   io::recv(fd, bytes, {100ms, token})
//
// Calls in a pool also end when a scope or a root around them is stopped, or something before them fails, as by a token.
//
// When a call returns, the system no longer uses its buffer. So a call that has run out of patience first waits for the
// system to let go of it: at once for sockets and pipes, after the transfer for disks. If everything was done
// meanwhile, the call has succeeded. A time-out that is not positive still lets a call do what can be done without
// waiting.
class HEIST_TYPE patience {
 public:
  HEIST_OWN_VALUE(patience);  // as long as it takes
  template <class Rep, class Period>
  HEIST_OWN patience(const std::chrono::duration<Rep, Period>& timeout, std::stop_token stop = {})
      : timeout_(detail::saturated(timeout)), stop_(std::move(stop)) {}
  HEIST_OWN patience(std::stop_token stop) noexcept : stop_(std::move(stop)) {}

  HEIST_OWN std::chrono::nanoseconds timeout() const noexcept { return std::chrono::nanoseconds(timeout_); }
  HEIST_OWN const std::stop_token& stop() const noexcept { return stop_; }

 private:
  detail::nanoseconds timeout_ = detail::never;
  std::stop_token stop_;
};

// Files ---------------------------------------------------------------------------------------------------------------

// Opens a file; O_CLOEXEC is added to the flags. Returns -1 if it fails and sets a code.
HEIST_API int open(const std::string& path, int flags, mode_t mode = 0666, const patience& p = {});
HEIST_API int open(const std::string& path, int flags, mode_t mode, const patience& p, std::error_code& error);
inline int open(const std::string& path, int flags, mode_t mode, std::error_code& error) {
  return open(path, flags, mode, {}, error);
}
inline int open(const std::string& path, int flags, std::error_code& error) {
  return open(path, flags, 0666, {}, error);
}

// Reads at the offset, which must not be negative, and leaves the file's position alone. Returns fewer bytes than asked
// for only at the end of the file; 0 behind it.
HEIST_API std::size_t read(int fd, std::span<std::byte> to, std::int64_t offset, const patience& p = {});
HEIST_API std::size_t read(int fd, std::span<std::byte> to, std::int64_t offset, const patience& p,
                           std::error_code& error);
inline std::size_t read(int fd, std::span<std::byte> to, std::int64_t offset, std::error_code& error) {
  return read(fd, to, offset, {}, error);
}

// Writes at the offset. May write less than it was given: see write_all().
HEIST_API std::size_t write(int fd, std::span<const std::byte> from, std::int64_t offset, const patience& p = {});
HEIST_API std::size_t write(int fd, std::span<const std::byte> from, std::int64_t offset, const patience& p,
                            std::error_code& error);
inline std::size_t write(int fd, std::span<const std::byte> from, std::int64_t offset, std::error_code& error) {
  return write(fd, from, offset, {}, error);
}

// Makes what was written to the file durable.
HEIST_API void fsync(int fd, const patience& p = {});
HEIST_API void fsync(int fd, const patience& p, std::error_code& error);
inline void fsync(int fd, std::error_code& error) { fsync(fd, {}, error); }

// The descriptor is gone, whatever the system says.
HEIST_API void close(int fd);
HEIST_API void close(int fd, std::error_code& error);

// Streams: pipes, sockets, terminals; files at their position ---------------------------------------------------------

// Reads what is there, and waits only if that is nothing. 0 at the end.
HEIST_API std::size_t read(int fd, std::span<std::byte> to, const patience& p = {});
HEIST_API std::size_t read(int fd, std::span<std::byte> to, const patience& p, std::error_code& error);
inline std::size_t read(int fd, std::span<std::byte> to, std::error_code& error) {
  return read(fd, to, patience(), error);
}

// May write less than it was given.
HEIST_API std::size_t write(int fd, std::span<const std::byte> from, const patience& p = {});
HEIST_API std::size_t write(int fd, std::span<const std::byte> from, const patience& p, std::error_code& error);
inline std::size_t write(int fd, std::span<const std::byte> from, std::error_code& error) {
  return write(fd, from, patience(), error);
}

// Reads until `to` is full or the stream ends. Returns the number of bytes, also if it fails and sets a code. The
// patience is for all of it.
HEIST_API std::size_t read_all(int fd, std::span<std::byte> to, const patience& p = {});
HEIST_API std::size_t read_all(int fd, std::span<std::byte> to, const patience& p, std::error_code& error);
inline std::size_t read_all(int fd, std::span<std::byte> to, std::error_code& error) {
  return read_all(fd, to, patience(), error);
}

// Writes everything. Returns the number of bytes: fewer only if it fails and sets a code.
HEIST_API std::size_t write_all(int fd, std::span<const std::byte> from, const patience& p = {});
HEIST_API std::size_t write_all(int fd, std::span<const std::byte> from, const patience& p, std::error_code& error);
inline std::size_t write_all(int fd, std::span<const std::byte> from, std::error_code& error) {
  return write_all(fd, from, patience(), error);
}
HEIST_API std::size_t write_all(int fd, std::span<const std::byte> from, std::int64_t offset, const patience& p = {});
HEIST_API std::size_t write_all(int fd, std::span<const std::byte> from, std::int64_t offset, const patience& p,
                                std::error_code& error);
inline std::size_t write_all(int fd, std::span<const std::byte> from, std::int64_t offset, std::error_code& error) {
  return write_all(fd, from, offset, {}, error);
}

// Sockets -------------------------------------------------------------------------------------------------------------

// The next connection of a listening socket; SOCK_CLOEXEC is set. Returns -1 if it fails and sets a code.
HEIST_API int accept(int fd, const patience& p = {});
HEIST_API int accept(int fd, const patience& p, std::error_code& error);
inline int accept(int fd, std::error_code& error) { return accept(fd, {}, error); }

// If it fails, close the socket: the system may still be trying.
HEIST_API void connect(int fd, const sockaddr* to, socklen_t size, const patience& p = {});
HEIST_API void connect(int fd, const sockaddr* to, socklen_t size, const patience& p, std::error_code& error);
inline void connect(int fd, const sockaddr* to, socklen_t size, std::error_code& error) {
  connect(fd, to, size, {}, error);
}

// Receives what is there, and waits only if that is nothing. 0 when the other side has ended.
HEIST_API std::size_t recv(int fd, std::span<std::byte> to, const patience& p = {});
HEIST_API std::size_t recv(int fd, std::span<std::byte> to, const patience& p, std::error_code& error);
inline std::size_t recv(int fd, std::span<std::byte> to, std::error_code& error) { return recv(fd, to, {}, error); }

// May send less than it was given, unless the socket sends messages. write_all() sends everything.
HEIST_API std::size_t send(int fd, std::span<const std::byte> from, const patience& p = {});
HEIST_API std::size_t send(int fd, std::span<const std::byte> from, const patience& p, std::error_code& error);
inline std::size_t send(int fd, std::span<const std::byte> from, std::error_code& error) {
  return send(fd, from, {}, error);
}

// Memory by address and size, and texts -------------------------------------------------------------------------------

// The calls above also take memory as the system's calls do, by address and size. What is written may be a text, without
// an offset. Patience and std::error_code follow as above:
//
//   io::read(fd, buffer, sizeof buffer)
//   io::write_all(fd, "hello", 1s, error)

template <class... Rest>
std::size_t read(int fd, void* to, std::size_t size, Rest&&... rest) {
  return io::read(fd, std::span(static_cast<std::byte*>(to), size), std::forward<Rest>(rest)...);
}
template <class... Rest>
std::size_t read_all(int fd, void* to, std::size_t size, Rest&&... rest) {
  return io::read_all(fd, std::span(static_cast<std::byte*>(to), size), std::forward<Rest>(rest)...);
}
template <class... Rest>
std::size_t recv(int fd, void* to, std::size_t size, Rest&&... rest) {
  return io::recv(fd, std::span(static_cast<std::byte*>(to), size), std::forward<Rest>(rest)...);
}

template <class... Rest>
std::size_t write(int fd, const void* from, std::size_t size, Rest&&... rest) {
  return io::write(fd, std::span(static_cast<const std::byte*>(from), size), std::forward<Rest>(rest)...);
}
template <class... Rest>
std::size_t write_all(int fd, const void* from, std::size_t size, Rest&&... rest) {
  return io::write_all(fd, std::span(static_cast<const std::byte*>(from), size), std::forward<Rest>(rest)...);
}
template <class... Rest>
std::size_t send(int fd, const void* from, std::size_t size, Rest&&... rest) {
  return io::send(fd, std::span(static_cast<const std::byte*>(from), size), std::forward<Rest>(rest)...);
}

template <class... Rest>
  requires(!std::integral<std::remove_cvref_t<Rest>> && ...)
std::size_t write(int fd, std::string_view text, Rest&&... rest) {
  return io::write(fd, text.data(), text.size(), std::forward<Rest>(rest)...);
}
template <class... Rest>
  requires(!std::integral<std::remove_cvref_t<Rest>> && ...)
std::size_t write_all(int fd, std::string_view text, Rest&&... rest) {
  return io::write_all(fd, text.data(), text.size(), std::forward<Rest>(rest)...);
}
template <class... Rest>
  requires(!std::integral<std::remove_cvref_t<Rest>> && ...)
std::size_t send(int fd, std::string_view text, Rest&&... rest) {
  return io::send(fd, text.data(), text.size(), std::forward<Rest>(rest)...);
}

// Any descriptor ------------------------------------------------------------------------------------------------------

// Waits until one of the events (POLLIN, POLLOUT, …) can be had, as ::poll does. Returns which; POLLERR and POLLHUP
// come unasked. With it any other call of the system's can wait, if its descriptor is non-blocking.
HEIST_API short poll(int fd, short events, const patience& p = {});
HEIST_API short poll(int fd, short events, const patience& p, std::error_code& error);
inline short poll(int fd, short events, std::error_code& error) { return poll(fd, events, {}, error); }

// Owns a descriptor, and closes it.
class HEIST_TYPE file {
 public:
  HEIST_OWN file() noexcept = default;
  HEIST_OWN explicit file(int fd) noexcept : fd_(fd) {}
  HEIST_OWN file(const std::string& path, int flags, mode_t mode = 0666) : fd_(open(path, flags, mode)) {}
  HEIST_OWN file(file&& other) noexcept : fd_(other.release()) {}
  HEIST_OWN file& operator=(file&& other) noexcept {
    file moved(std::move(other));
    swap(moved);
    return *this;
  }
  HEIST_OWN ~file() {
    std::error_code ignored;
    if (fd_ >= 0) io::close(fd_, ignored);
  }

  // -1: none.
  HEIST_OWN int fd() const noexcept { return fd_; }
  HEIST_OWN explicit operator bool() const noexcept { return fd_ >= 0; }
  // The caller owns the descriptor from now on.
  [[nodiscard]] HEIST_OWN int release() noexcept { return std::exchange(fd_, -1); }
  HEIST_OWN void swap(file& other) noexcept { std::swap(fd_, other.fd_); }
  // Throws if the system says that something was not written. The descriptor is gone all the same.
  HEIST_OWN void close() { io::close(release()); }

 private:
  int fd_ = -1;
};

}  // namespace heist::io

// The mistake of passing a file, or something that is not bytes, is answered by one sentence.
namespace heist::detail {

// An address and a size.
template <class Bytes, class... More>
inline constexpr bool is_sized_memory = false;
template <class Bytes, class Size, class... More>
inline constexpr bool is_sized_memory<Bytes, Size, More...> =
    std::convertible_to<Bytes, const void*> && std::integral<std::remove_cvref_t<Size>>;

template <class F, class Bytes>
concept not_io_bytes = std::integral<F> && !std::convertible_to<Bytes, std::span<const std::byte>>;
template <class F, class Bytes, class... More>
concept not_to_read = std::same_as<F, io::file> || (not_io_bytes<F, Bytes> && !is_sized_memory<Bytes, More...>);
template <class F, class Bytes, class... More>
concept not_to_write = not_to_read<F, Bytes, More...> &&
                       (std::same_as<F, io::file> || !std::convertible_to<Bytes, std::string_view> ||
                        (std::integral<std::remove_cvref_t<More>> || ...));

enum class data_call : unsigned char { read, write, read_all, write_all, recv, send };

// One function a call: compilers complain about the first use of each.
template <data_call, class F, class Bytes>
constexpr std::size_t refuse_arguments() {
  constexpr bool is_file = std::same_as<F, io::file>;
  static_assert(!is_file, "heist::io: the calls take a descriptor; pass file.fd()");
  static_assert(is_file, "heist::io: the calls take bytes; pass std::as_bytes(std::span(…)), std::as_writable_bytes to read, or an address and a size");
  return 0;
}

}  // namespace heist::detail

namespace heist::io {

template <class F, class Bytes, class... More>
  requires detail::not_to_read<F, Bytes, More...>
std::size_t read(const F&, Bytes&&, More&&...) {
  return detail::refuse_arguments<detail::data_call::read, F, Bytes>();
}
template <class F, class Bytes, class... More>
  requires detail::not_to_write<F, Bytes, More...>
std::size_t write(const F&, Bytes&&, More&&...) {
  return detail::refuse_arguments<detail::data_call::write, F, Bytes>();
}
template <class F, class Bytes, class... More>
  requires detail::not_to_read<F, Bytes, More...>
std::size_t read_all(const F&, Bytes&&, More&&...) {
  return detail::refuse_arguments<detail::data_call::read_all, F, Bytes>();
}
template <class F, class Bytes, class... More>
  requires detail::not_to_write<F, Bytes, More...>
std::size_t write_all(const F&, Bytes&&, More&&...) {
  return detail::refuse_arguments<detail::data_call::write_all, F, Bytes>();
}
template <class F, class Bytes, class... More>
  requires detail::not_to_read<F, Bytes, More...>
std::size_t recv(const F&, Bytes&&, More&&...) {
  return detail::refuse_arguments<detail::data_call::recv, F, Bytes>();
}
template <class F, class Bytes, class... More>
  requires detail::not_to_write<F, Bytes, More...>
std::size_t send(const F&, Bytes&&, More&&...) {
  return detail::refuse_arguments<detail::data_call::send, F, Bytes>();
}

}  // namespace heist::io

HEIST_END
