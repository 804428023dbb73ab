#pragma once
// What a task came to that runs on another machine than the strand that waits for it. See
// meter/README.md, "Other machines".

#include <heist/base/export.hpp>
#include <heist/measure/program_profile.hpp>
#include <heist/measure/stretch.hpp>
#include <heist/meter/path.hpp>

#include <cstdint>
#include <string>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// All ticks are nanoseconds here: the counters of two machines differ.
struct HEIST_VERSIONED task_figures {
  struct HEIST_VERSIONED region {
    std::string name;
    std::uint64_t times = 0, forks = 0;
    cost work, longest;
    path_length span;
  };
  cost work, short_work;
  cost here;  // of the work, what was done by the machine that ran it, and not lent on; not sent
  path_length span;
  std::uint64_t longest = 0, forks = 0, deepest = 0;
  std::vector<region> regions;
};

// The machine that runs it: measures the calling strand, and all that it forks, up to end().
class measured_task {
 public:
  HEIST_API explicit measured_task(metered_pool& in);
  HEIST_API ~measured_task();
  measured_task(const measured_task&) = delete;
  measured_task& operator=(const measured_task&) = delete;

  HEIST_API task_figures end();

 private:
  struct HEIST_VERSIONED metered {
    explicit metered(metered_pool& p);
    ~metered();
    metered_pool& pool;
  } until_its_end_;
  measured_stretch stretch_;
};

// The root that the calling strand is does not count for this program's own profile: what it ran counts where it was lent.
HEIST_API void leave_out_of_profile() noexcept;

// The machine that has lent it: the calling strand has waited for the task, and has its work and span.
HEIST_API void count_task(const task_figures& done);
HEIST_API bool strand_is_measured() noexcept;

}  // namespace heist::detail

HEIST_END
