// Boost.Asio's contestant: the echo server on a pool of threads.

#include <bench/waiting/contestant.hpp>
#include <bench/waiting/echo.hpp>
#include <bench/waiting/work.hpp>

#include <boost/asio.hpp>

#include <atomic>
#include <memory>

namespace {

using namespace waiting;
namespace asio = boost::asio;
using boost::asio::ip::tcp;

// Reads a request, forks the computation, writes the reply, and so on. The leaves are handlers of the same pool; the
// one that ends last goes on. So one handler at a time has the session, and it needs no strand.
class session : public std::enable_shared_from_this<session> {
 public:
  session(tcp::socket socket, long leaves, long steps) : socket_(std::move(socket)), leaves_(leaves), steps_(steps) {}

  void read() {
    asio::async_read(socket_, asio::buffer(&message_, sizeof message_),
                     [self = shared_from_this()](const boost::system::error_code& error, std::size_t) {
                       if (!error) self->compute();
                     });
  }

 private:
  void compute() {
    sum_.store(0, std::memory_order_relaxed);
    left_.store(leaves_, std::memory_order_relaxed);
    for (long i = 1; i < leaves_; ++i)
      asio::post(socket_.get_executor(), [self = shared_from_this(), i] { self->leaf(i); });
    leaf(0);
  }

  void leaf(long i) {
    sum_.fetch_add(chain(message_.number + static_cast<word>(i), steps_), std::memory_order_relaxed);
    if (left_.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
    message_.number = sum_.load(std::memory_order_relaxed);
    asio::async_write(socket_, asio::buffer(&message_, sizeof message_),
                      [self = shared_from_this()](const boost::system::error_code& error, std::size_t) {
                        if (!error) self->read();
                      });
  }

  tcp::socket socket_;
  const long leaves_, steps_;
  message message_;
  std::atomic<word> sum_{0};
  std::atomic<long> left_{0};
};

class server {
 public:
  server(asio::thread_pool& pool, long leaves, long steps)
      : acceptor_(pool, tcp::v4(), listener_.fd), leaves_(leaves), steps_(steps) {
    accept();
  }
  std::uint16_t port() const { return listener_.port; }

 private:
  void accept() {
    acceptor_.async_accept([this](const boost::system::error_code& error, tcp::socket socket) {
      if (error) return;
      begin_talking(socket.native_handle());
      std::make_shared<session>(std::move(socket), leaves_, steps_)->read();
      accept();
    });
  }

  const listener listener_;
  tcp::acceptor acceptor_;
  const long leaves_, steps_;
};

}  // namespace

int main(int argc, char** argv) {
  asio::thread_pool pool(workers(argc, argv));
  std::unique_ptr<server> there;
  answer({
      {"listen", [&](arguments& a) {
         const long leaves = a.next(), steps = a.next();
         there = std::make_unique<server>(pool, leaves, steps);
         return figures{static_cast<double>(there->port()), 0};
       }},
  });
}
