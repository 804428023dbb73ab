#pragma once
// Which run some figures are from, where and when: without that they cannot be compared with those
// of another run.

#include <heist/base/export.hpp>

#include <string>

HEIST_BEGIN

namespace heist::detail {

struct origin {
  std::string program;
  std::string version;      // of heist
  std::string started;      // UTC, as date_and_time() has it
  std::string cpu;          // its model; empty: the kernel does not name it, as on ARM
  unsigned processors = 0;  // that the process may use
  std::string system;       // kernel and architecture
};

// This process, from now on. Any thread.
HEIST_API origin this_run(unsigned processors);

// Now, in UTC, as in ISO 8601: 2026-11-15T10:30:00Z.
std::string date_and_time();

}  // namespace heist::detail

HEIST_END
