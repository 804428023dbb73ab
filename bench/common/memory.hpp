#pragma once
// The process's resident memory, and its peak since a given moment.

#include <cstdlib>
#include <fstream>
#include <string>

namespace bench {

inline double status_kib(const char* field, const std::string& file = "/proc/self/status") {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(field)) return std::strtod(line.c_str() + line.find(':') + 1, nullptr);
  return 0;
}

// From its construction on.
class rss_peak {
 public:
  rss_peak() {
    std::ofstream("/proc/self/clear_refs") << "5";  // the kernel's peak starts anew
    start_ = status_kib("VmRSS");
  }
  double added_kib() const { return status_kib("VmHWM") - start_; }

 private:
  double start_ = 0;
};

}  // namespace bench
