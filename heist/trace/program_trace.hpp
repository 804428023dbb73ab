#pragma once
// HEIST_TRACE: writes what all workers of a program did, when it ends.

#include <heist/base/export.hpp>
#include <heist/trace/lane.hpp>
#include <heist/trace/timeline.hpp>

#include <deque>
#include <list>
#include <mutex>
#include <string>

HEIST_BEGIN

namespace heist::detail {

// The lanes of a pool that lives.
struct pool_trace {
  const unsigned number;
  const unsigned workers;
  std::deque<trace_lane> lanes;
};

class program_trace {
 public:
  // Null if the program is not traced. Throws std::invalid_argument if a variable has a bad value.
  static program_trace* get();
  // The same, but null before the first pool is made, and never throws.
  static program_trace* begun() noexcept;

  // A pool begins, makes a seat, and ends; then nothing of it is noted any more.
  pool_trace& enlist(unsigned workers);
  trace_lane& add_lane(pool_trace& of);
  void strike(pool_trace& ended);

  // For threads outside every pool.
  trace_lane& outside() noexcept { return outside_; }

  void write() noexcept;

 private:
  program_trace(std::string file, std::size_t most_events);
  static program_trace* from_environment();
  bool is_ours() const noexcept;
  timeline::pool closed(pool_trace& p) const;

  const std::string file_;
  const std::size_t most_events_;  // of a lane
  const unsigned process_;
  std::mutex lock_;
  unsigned pools_made_ = 0;
  std::list<pool_trace> pools_;
  std::deque<timeline::pool> ended_;
  std::size_t ended_events_ = 0;
  timeline written_;
  trace_lane outside_;
};

}  // namespace heist::detail

HEIST_END
