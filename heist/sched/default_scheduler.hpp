#pragma once
// The scheduler of the default pool.

#include <heist/base/export.hpp>
#include <heist/options.hpp>

HEIST_BEGIN

namespace heist::detail {

class scheduler;

// Made at first use and never destroyed: its threads sleep while it is unused, and end with the
// process. Throws std::invalid_argument for a bad value in the environment:
// docs/reference/environment.md.
scheduler& default_scheduler();

// Fills in defaults. Throws std::invalid_argument if an option is out of range.
options checked(options wanted);

}  // namespace heist::detail

HEIST_END
