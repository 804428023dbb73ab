#pragma once
// Looks at a job without taking part in it: who is there, and what they have done.

#include <heist/base/export.hpp>
#include <heist/cluster/message.hpp>
#include <heist/cluster/options.hpp>
#include <heist/cluster/wire.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

HEIST_BEGIN

namespace heist::cluster::detail {

// One machine, or process, of the job.
struct seen_node {
  node_id id = 0;
  std::string host;
  std::uint64_t process = 0;
  bool driver = false, running = false, draining = false;
  std::uint32_t workers = 0;
  std::uint64_t lent = 0, returned = 0, came_home = 0, borrowed = 0, messages_sent = 0, bytes_sent = 0;
};

// What a message of that kind says; nothing, if it does not say it.
std::optional<seen_node> figures_in(const message& m);

class observer {
 public:
  // Throws std::runtime_error with one sentence if the server cannot be reached.
  HEIST_API explicit observer(const options& wanted);
  HEIST_API ~observer();
  observer(const observer&) = delete;
  observer& operator=(const observer&) = delete;

  // All that answer until nobody has answered for so long; the driver first.
  HEIST_API std::vector<seen_node> look(std::chrono::milliseconds silence = std::chrono::milliseconds(100));

 private:
  void message_came(const message& m);

  const node_id me_;
  wire wire_;
  std::mutex lock_;
  std::condition_variable came_;
  std::vector<seen_node> seen_;
};

}  // namespace heist::cluster::detail

HEIST_END
