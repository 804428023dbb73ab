#pragma once
// The scheduler of the default pool.

#include <heist/base/export.hpp>
#include <heist/options.hpp>

#include <stdexcept>
#include <string>

HEIST_BEGIN

namespace heist::detail {

class scheduler;

// Made at first use and never destroyed: its threads sleep while it is unused, and end with the
// process. Throws std::invalid_argument for a bad value in the environment:
// docs/reference/environment.md.
scheduler& default_scheduler();

inline constexpr unsigned most_workers = 4096;

template <class T>
T in_range(const char* what, T value, T least, T most) {
  if (value >= least && value <= most) return value;
  throw std::invalid_argument("heist: " + std::string(what) + " is " + std::to_string(value) + ", outside " +
                              std::to_string(least) + " … " + std::to_string(most));
}

// Fills in defaults. Throws std::invalid_argument if an option is out of range.
options checked(options wanted);

}  // namespace heist::detail

HEIST_END
