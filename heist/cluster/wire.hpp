#pragma once
// The NATS client: the only file that knows it. See README.md, "Messages", for the subjects.

#include <heist/base/export.hpp>
#include <heist/cluster/message.hpp>
#include <heist/cluster/options.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

HEIST_BEGIN

struct __natsConnection;  // of the client

namespace heist::cluster::detail {

class wire {
 public:
  // All are called by one thread, one after the other, but for the last two.
  struct handlers {
    std::function<void(message&)> message_came;
    std::function<void(node_id)> nobody_at;    // nobody listens where messages to that node go
    std::function<void()> nobody_drives;       // nobody listens at the driver's subject
    std::function<void()> lost, back;          // the connection
  };

  // Connects, but hears nothing yet. Throws std::runtime_error with one sentence.
  wire(const options& wanted, node_id me);
  ~wire();
  wire(const wire&) = delete;
  wire& operator=(const wire&) = delete;

  void listen(handlers to);
  void listen_as_driver();

  // Any thread. If it cannot be sent, that is as if it were lost. False if it is known to be lost.
  bool send(node_id to, const message& m) noexcept;
  void send_all(const message& m) noexcept;
  void send_driver(const message& m) noexcept;
  // What was sent before is at the server, unless that takes longer.
  void flush() noexcept;
  // No handler runs after this.
  void close() noexcept;

  // For the ledger.
  __natsConnection* client() const noexcept;
  bool connected() const noexcept;

  std::size_t most_bytes() const noexcept { return most_bytes_; }

  struct traffic {
    std::uint64_t messages_sent, bytes_sent, messages_received, bytes_received, dropped;
  };
  traffic so_far() const noexcept;

 private:
  struct connection;
  bool publish(const std::string& subject, const char* reply, const message& m) noexcept;
  void received(const char* subject, std::span<const std::byte> data, bool nobody);

  const node_id me_;
  const std::string prefix_;
  std::size_t most_bytes_ = 0;
  handlers to_;
  std::unique_ptr<connection> c_;
  std::atomic<std::uint64_t> messages_sent_{0}, bytes_sent_{0}, messages_received_{0}, bytes_received_{0}, dropped_{0};
};

}  // namespace heist::cluster::detail

HEIST_END
