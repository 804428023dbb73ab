#pragma once
// What a run left behind: a profile (HEIST_PROFILE), a trace (HEIST_TRACE) or figures of a demo, read and checked.

#include <heist/base/origin.hpp>
#include <heist/measurement.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace heist::cli {

// What a trace comes to.
struct trace_summary {
  struct lane {
    unsigned pool, number;
    std::string name;
    double busy = 0, asleep = 0;  // µs
    std::uint64_t runs = 0, steals = 0, robbed = 0, dropped = 0;
  };
  // The lanes that a thread of a pool sat at, without those of callers for whom there was no seat.
  static bool is_worker(const lane& l) { return l.name.starts_with("heist-"); }

  std::string program;
  unsigned workers = 0;
  double duration = 0;  // µs
  std::uint64_t events = 0, dropped = 0, steals = 0, far_steals = 0, suspends = 0, sleeps = 0, regions = 0, waits = 0,
                loans = 0;
  std::vector<lane> lanes;
};

struct run_file {
  enum class kind { profile, trace, figures };

  kind what;
  std::string text;       // as it was read: JSON
  nlohmann::json json;    // of a trace: without its events
  trace_summary summary;  // of a trace
  measurement measured;   // of a profile
  detail::origin from;    // of a profile
};

// Throws bad_input, in one line, if the file is missing, breaks off, or is none of these.
run_file read_run_file(const std::string& path);

}  // namespace heist::cli
