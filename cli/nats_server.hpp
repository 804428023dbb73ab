#pragma once
// A NATS server for one job, started from Debian's package with credentials of its own.

#include <cli/child.hpp>

#include <optional>
#include <string>

namespace heist::cli {

class nats_server {
 public:
  struct settings {
    std::string program = "nats-server";
    std::string host = "127.0.0.1";
    int port = 0;  // 0: one that is free
    std::string job = "job";
    std::string folder;                  // what is durable lies here; empty: a temporary one, removed at the end
    std::string certificate, key;        // both: TLS
    std::string user_password;           // empty: a fresh one
  };

  // Returns when it listens. Throws bad_input, with one line, if it cannot be started.
  explicit nats_server(const settings& wanted);
  ~nats_server();
  nats_server(const nats_server&) = delete;
  nats_server& operator=(const nats_server&) = delete;

  // What HEIST_CLUSTER must be to join, on a machine that reaches this one as `host`.
  std::string url(const std::string& host) const;
  std::string url() const { return url(wanted_.host); }
  child& process() { return *process_; }

 private:
  std::string configuration() const;
  int port_in_use();

  settings wanted_;
  std::string folder_;
  bool temporary_ = false;
  std::optional<child> process_;
  int port_ = 0;
};

// Such as a job's password: 128 random bits in hexadecimal.
std::string fresh_secret();

}  // namespace heist::cli
