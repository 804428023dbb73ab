#pragma once
// The process's threads as the kernel shows them.

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
