#pragma once
// What crossed between machines, for a trace over all of them. See README.md, "A trace over all machines".

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/cluster/message.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>

HEIST_BEGIN

namespace heist::cluster::detail {

using heist::detail::nanoseconds;

// The lane of the trace at which the calling strand runs.
unsigned lane_here() noexcept;

// Any thread. Does nothing unless the program is traced (HEIST_TRACE).
class journal {
 public:
  explicit journal(node_id me);

  void lent(std::uint64_t number, node_id to, unsigned lane, std::size_t size);
  void came_back(std::uint64_t number);
  void began(node_id lender, std::uint64_t number, const std::string& task, unsigned lane);
  void ended(node_id lender, std::uint64_t number);
  void lost(node_id peer);
  // A peer's clock showed `there` when ours was between these two.
  void clock_of(node_id peer, nanoseconds asked, nanoseconds there, nanoseconds answered);

  // Beside the program's trace, in a file of the same name with ".cluster" behind it.
  void write(bool driver, std::uint64_t bytes_sent) noexcept;

 private:
  struct crossing {
    node_id peer;
    std::uint64_t number;
    unsigned lane;
    nanoseconds from, to;
    std::size_t bytes;
    std::string task;
  };
  struct clock {
    nanoseconds ahead, round_trip;
  };
  void add(std::deque<crossing>& to, crossing c);

  const node_id me_;
  const std::string file_;  // empty: not traced
  std::mutex lock_;
  std::deque<crossing> loans_, tasks_;
  std::map<node_id, nanoseconds> lost_;
  std::map<node_id, clock> clocks_;
  std::uint64_t dropped_ = 0;
};

}  // namespace heist::cluster::detail

HEIST_END
