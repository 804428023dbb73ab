#pragma once
// The process's threads as the kernel shows them.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

struct thread_seen {
  int id = 0;
  std::string name;
  char state = '?';  // R: runs or wants to; S: sleeps
  long voluntary_switches = -1;
};

// Every thread whose name starts with "heist-".
inline std::vector<thread_seen> heist_threads() {
  std::vector<thread_seen> found;
  std::error_code ended;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", ended)) {
    thread_seen t;
    t.id = std::stoi(task.path().filename());
    std::ifstream status(task.path() / "status");
    for (std::string key; status >> key;) {
      if (key == "Name:") status >> t.name;
      if (key == "State:") status >> t.state;
      if (key == "voluntary_ctxt_switches:") status >> t.voluntary_switches;
    }
    if (t.name.starts_with("heist-")) found.push_back(t);
  }
  return found;
}

// Those that were not there when this was made. The kernel may list a thread for a moment after it was joined, so the
// threads of a pool are not the difference of two counts.
class threads_since {
 public:
  [[nodiscard]] std::size_t count() const {
    const std::vector<thread_seen> now = heist_threads();
    return static_cast<std::size_t>(std::count_if(now.begin(), now.end(), [&](const thread_seen& t) {
      return std::none_of(before_.begin(), before_.end(), [&](const thread_seen& old) { return old.id == t.id; });
    }));
  }

 private:
  std::vector<thread_seen> before_ = heist_threads();
};
