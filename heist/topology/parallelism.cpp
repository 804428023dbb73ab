#include <heist/topology/parallelism.hpp>

#include <hwloc.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace heist::detail {

namespace {

using std::filesystem::path;

bool lists(const std::string& commas, const std::string& word) {
  std::istringstream in(commas);
  for (std::string w; std::getline(in, w, ',');)
    if (w == word) return true;
  return false;
}

// mountinfo escapes blanks as octal.
std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto octal = [&](std::size_t at) { return text[at] >= '0' && text[at] <= '7'; };
    if (text[i] == '\\' && i + 3 < text.size() && octal(i + 1) && octal(i + 2) && octal(i + 3)) {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

// Not by operator/, which crashes if memory runs out in it (libstdc++ 12).
path beneath(const path& folder, const path& what) { return folder.native() + '/' + what.native(); }

struct mount {
  std::string root;   // the cgroup seen at the mount point
  path at;
  bool unified;       // cgroup v2
};

// The mounts that show CPU quotas: the unified hierarchy, and v1's cpu controller.
std::vector<mount> cgroup_mounts(const system_paths& paths) {
  std::vector<mount> found;
  std::ifstream in(paths.mounts);
  for (std::string line; std::getline(in, line);) {
    // id parent major:minor root mount-point options [fields…] - type source super-options
    std::istringstream fields(line);
    std::string id, parent, device, root, at, word, type, source, super;
    fields >> id >> parent >> device >> root >> at;
    while (fields >> word && word != "-") {
    }
    if (!(fields >> type >> source >> super)) continue;
    const bool unified = type == "cgroup2";
    if (!unified && !(type == "cgroup" && lists(super, "cpu"))) continue;
    found.push_back({unescaped(root), beneath(paths.root, path(unescaped(at)).relative_path()), unified});
  }
  return found;
}

std::optional<double> quota_in(const path& folder, bool unified) {
  std::string quota, period;
  if (unified) {
    std::ifstream(beneath(folder, "cpu.max")) >> quota >> period;
  } else {
    std::ifstream(beneath(folder, "cpu.cfs_quota_us")) >> quota;
    std::ifstream(beneath(folder, "cpu.cfs_period_us")) >> period;
  }
  // Absent, "max" and -1 are no quota.
  const double q = std::strtod(quota.c_str(), nullptr);
  const double p = std::strtod(period.c_str(), nullptr);
  if (!(q > 0) || !(p > 0)) return std::nullopt;
  return q / p;
}

}  // namespace

std::optional<double> cgroup_quota(const system_paths& paths) {
  std::optional<double> least;
  const auto mounts = cgroup_mounts(paths);
  std::ifstream in(paths.own_cgroups);
  for (std::string line; std::getline(in, line);) {
    // id:controllers:path, with no controllers for v2
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string own = line.substr(second + 1);
    for (const mount& m : mounts) {
      if (m.unified ? !controllers.empty() : !lists(controllers, "cpu")) continue;
      // In a container the mount shows only a part of the tree: /docker/x at the mount's root is
      // /docker/x itself.
      path below = path(own).relative_path();
      if (m.root != "/") {
        const path relative = path(own).lexically_relative(m.root);
        below = relative.empty() || *relative.begin() == ".." || relative == "." ? path() : relative;
      }
      for (path here = below;; here = here.parent_path()) {
        if (const auto q = quota_in(beneath(m.at, here), m.unified)) least = std::min(least.value_or(*q), *q);
        if (here.empty()) break;
      }
    }
  }
  return least;
}

// By hwloc, which knows machines of any size but takes two milliseconds: for machines that do not
// fit into the C library's fixed mask of 1,024 processors.
unsigned affinity_count_of_large_machine() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return 0;
  int n = 0;
  hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
  if (hwloc_topology_load(topology) == 0) {
    hwloc_bitmap_t mask = hwloc_bitmap_alloc();
    if (mask != nullptr && hwloc_get_cpubind(topology, mask, HWLOC_CPUBIND_THREAD) == 0) n = hwloc_bitmap_weight(mask);
    hwloc_bitmap_free(mask);
  }
  hwloc_topology_destroy(topology);
  return static_cast<unsigned>(std::max(0, n));
}

unsigned affinity_count() {
  cpu_set_t mask;
  if (::sched_getaffinity(0, sizeof mask, &mask) == 0) return static_cast<unsigned>(CPU_COUNT(&mask));
  const unsigned n = affinity_count_of_large_machine();
  return n != 0 ? n : std::thread::hardware_concurrency();
}

std::optional<std::vector<int>> processor_list(const char* list) {
  std::vector<int> all;
  const char* at = list;
  auto number = [&] {  // -1: none
    int n = 0;
    const auto [end, error] = std::from_chars(at, at + std::strlen(at), n);
    at = end;
    return error == std::errc() && n < CPU_SETSIZE ? n : -1;
  };
  for (;;) {
    const int first = number();
    int last = first;
    if (*at == '-') ++at, last = number();
    if (first < 0 || last < first) return std::nullopt;
    for (int k = first; k <= last; ++k) all.push_back(k);
    if (*at == '\0') return all;
    if (*at++ != ',') return std::nullopt;
  }
}

std::optional<cpu_set_t> processors_in(const char* list, const char* option) {
  if (list == nullptr) return std::nullopt;
  cpu_set_t all;
  CPU_ZERO(&all);
  cpu_set_t allowed;
  const bool known = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  const std::optional<std::vector<int>> named = processor_list(list);
  if (!named)
    throw std::invalid_argument("heist: " + std::string(option) + " is \"" + list + "\", not a list such as 0-3,8");
  for (const int p : *named) {
    if (known && !CPU_ISSET(p, &allowed))
      throw std::invalid_argument("heist: " + std::string(option) + " names processor " + std::to_string(p) +
                                  ", on which the thread that makes the pool may not run");
    CPU_SET(p, &all);
  }
  return all;
}

unsigned usable(unsigned processors, std::optional<double> quota) noexcept {
  const unsigned most = std::clamp(processors, 1u, 4096u);
  if (!quota || *quota >= most) return most;
  return static_cast<unsigned>(std::max(1.0, std::ceil(*quota)));
}

unsigned available_parallelism(const system_paths& paths) { return usable(affinity_count(), cgroup_quota(paths)); }

}  // namespace heist::detail
