// Recipe: a server with one strand for each connection, which computes in parallel for each request, and can be
// stopped.

#include <heist/async.hpp>
#include <heist/cancelled.hpp>
#include <heist/for_each.hpp>
#include <heist/io.hpp>
#include <heist/reduce.hpp>
#include <heist/scope.hpp>
#include <heist/sleep.hpp>

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ranges>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace {

namespace io = heist::io;
using namespace std::chrono_literals;

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

bool is_prime(int n) {
  for (int d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

// region: request
// The request is a number n; the answer is how many primes there are below n.
std::string answer(const std::string& request, const std::stop_token& stop) {
  const int n = std::clamp(std::atoi(request.c_str()), 0, 1'000'000);
  return std::to_string(heist::count_if(std::views::iota(0, n), is_prime, stop)) + '\n';
}
// end

// region: connection
void converse(const io::file& client, const std::stop_token& stop) {
  std::string unread;
  std::array<char, 1024> block;
  while (unread.size() < 1000) {  // nobody sends a number of that length in earnest
    const std::size_t got = io::recv(client.fd(), std::as_writable_bytes(std::span(block)), {30s, stop});
    if (got == 0) return;  // the client has hung up
    unread.append(block.data(), got);
    for (std::size_t end; (end = unread.find('\n')) != unread.npos; unread.erase(0, end + 1))
      io::write_all(client.fd(), bytes(answer(unread.substr(0, end), stop)), {30s, stop});
  }
}
// end

// region: serve
void serve(const io::file& listener, const std::stop_token& stop) {
  heist::with_scope([&](heist::scope& connections) {
    for (;;) {
      std::error_code error;
      io::file client(io::accept(listener.fd(), stop, error));
      if (error == std::errc::operation_canceled) return;  // and with_scope waits for the connections
      if (error) {                                         // too many open files, say: wait for some to be closed
        heist::sleep_for(10ms);
        continue;
      }
      connections.spawn([client = std::move(client), &stop] {
        try {
          converse(client, stop);
        } catch (const std::exception&) {
          // A time-out, a broken connection, a stop: it ends this connection, not the others.
        }
      });
    }
  });
}
// end

io::file listen_on_loopback(sockaddr_in& address) {
  io::file listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener.fd(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::listen(listener.fd(), 128) != 0 ||
      ::getsockname(listener.fd(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::system_error(errno, std::system_category(), "loopback");
  return listener;
}

// What the server answers to two requests that come as one piece.
std::string ask(const sockaddr_in& address) {
  const io::file socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  io::connect(socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  io::write_all(socket.fd(), bytes("10000\n100000\n"));
  std::string answers(10, ' ');
  io::read_all(socket.fd(), std::as_writable_bytes(std::span(answers)), 60s);
  return answers;
}

}  // namespace

int main() {
  sockaddr_in address{};
  const io::file listener = listen_on_loopback(address);
  std::atomic<int> right = 0;
  // region: main
  std::stop_source stop;
  heist::future<void> server = heist::async([&] { serve(listener, stop.get_token()); });
  // end
  const io::file silent(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));  // connected when the server stops
  io::connect(silent.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  heist::for_each_index(
      0, 50, [&](int) { right += ask(address) == "1229\n9592\n"; }, heist::grain{1});
  // region: stop
  stop.request_stop();  // by any thread, at any time
  server.get();         // all connections are closed
  // end
  std::printf("%d of 50 clients have got the right answers\n", right.load());
  return right == 50 ? 0 : 1;
}
