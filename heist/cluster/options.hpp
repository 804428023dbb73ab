#pragma once
// How a program joins a cluster: from the environment, from arguments, or written down.

#include <heist/base/export.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

HEIST_BEGIN

namespace heist::cluster {

enum class role : unsigned char {
  alone,   // no cluster: everything runs on this machine
  driver,  // runs the root
  helper,  // serves the job until it has ended
};

struct HEIST_TYPE options {
  HEIST_OWN_VALUE(options);

  role as = role::alone;
  std::string job;                   // letters, digits, - and _
  std::vector<std::string> servers;  // "nats://host:port" or "tls://host:port"
  std::string token;                 // or:
  std::string user, password;
  std::string ca;                              // a file with the certificates to trust, for tls://
  std::chrono::milliseconds suspect{2000};     // silence after which a machine is thought dead
  std::chrono::milliseconds give_up{30000};    // how long a helper waits for a server that is gone
  std::size_t most_bytes = std::size_t{64} << 20;  // larger arguments and results do not travel; nor do those that the server refuses
  std::size_t most_orphans = 1024;             // results that are kept for lenders that died
  bool durable = false;                        // results are kept by the server; a driver that was killed goes on
  std::chrono::milliseconds note_after{250};   // shorter results are not kept there
  bool verbose = false;                        // a line when a node joins, drains and leaves

  // HEIST_CLUSTER and the other variables, then arguments that begin with --heist-: README.md, "Settings". Without either:
  // alone. Throws std::invalid_argument if one makes no sense.
  HEIST_API static options from(int argc, const char* const* argv);
  HEIST_API static options from(int argc, char** argv) { return from(argc, const_cast<const char* const*>(argv)); }
  HEIST_API static options from_environment();
};

namespace detail {
// Throws std::invalid_argument if nobody could join a job with these.
void check(const options& o);
}

}  // namespace heist::cluster

HEIST_END
