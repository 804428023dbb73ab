#pragma once
// How many processors this process may use: affinity and cgroup quotas.

#include <heist/base/export.hpp>

#include <sched.h>

#include <filesystem>
#include <optional>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// Where to look. Tests pass their own folders.
struct system_paths {
  std::filesystem::path own_cgroups = "/proc/self/cgroup";
  std::filesystem::path mounts = "/proc/self/mountinfo";
  std::filesystem::path root = "/";  // put before every mount point
};

// The smallest CPU quota of the process's cgroup and its ancestors, in processors; nothing if there is none.
HEIST_API std::optional<double> cgroup_quota(const system_paths& paths = {});

// Processors in the calling thread's affinity mask.
HEIST_API unsigned affinity_count();
unsigned affinity_count_of_large_machine();  // the same, by hwloc; 0: it does not know

// The processors in a list such as "0-3,8", in its order; nothing if it is no such list.
std::optional<std::vector<int>> processor_list(const char* list);
// The same as a mask; nothing for null. Throws std::invalid_argument if it is no such list.
std::optional<cpu_set_t> processors_in(const char* list, const char* option = "options::processors");

// How many workers are useful on this many processors under that quota: as many as it takes to use
// all of it.
unsigned usable(unsigned processors, std::optional<double> quota) noexcept;

// The same, of the calling thread's mask and the process's quota.
unsigned available_parallelism(const system_paths& paths);

}  // namespace heist::detail

HEIST_END
