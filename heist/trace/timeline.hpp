#pragma once
// Events of lanes as trace-event JSON, which Perfetto, chrome://tracing and `heist report` read. The form is in
// docs/reference/tools.md.

#include <heist/base/export.hpp>
#include <heist/trace/lane.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// What a program did, as its trace tells it.
struct timeline {
  struct lane {
    unsigned number;
    trace_lane::record seen;
  };
  struct pool {
    unsigned number;  // from 1; 0: outside every pool
    unsigned workers;
    nanoseconds ended;  // or when the program did
    std::vector<lane> lanes;
  };

  std::string program;
  std::string started;  // date and time
  std::uint64_t forgotten_pools = 0, forgotten_events = 0;
  std::vector<pool> pools;
};

void write_json(const timeline& t, std::FILE* to);

}  // namespace heist::detail

HEIST_END
