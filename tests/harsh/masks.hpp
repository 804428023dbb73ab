#pragma once
// Where the threads of this process may run.

#include <sched.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace heist_test {

inline bool all_threads_have(const cpu_set_t& wanted) {
  std::error_code ended;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", ended)) {
    cpu_set_t mask;
    if (::sched_getaffinity(std::stoi(task.path().filename()), sizeof mask, &mask) == 0 && !CPU_EQUAL(&mask, &wanted))
      return false;
  }
  return true;
}

}  // namespace heist_test
