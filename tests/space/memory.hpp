#pragma once
// What the kernel says this process holds.

#include <malloc.h>

#include <cstddef>
#include <fstream>
#include <string>

// A figure of /proc/self/status, in bytes.
inline std::size_t status_bytes(const std::string& wanted) {
  std::ifstream in("/proc/self/status");
  for (std::string key; in >> key;) {
    std::size_t kib = 0;
    if (key == wanted && in >> kib) return kib * 1024;
    in.ignore(1024, '\n');
  }
  return 0;
}

inline std::size_t resident_bytes() { return status_bytes("VmRSS:"); }

// From here on the peak counts what comes.
inline bool reset_peak() {
  ::malloc_trim(0);
  std::ofstream out("/proc/self/clear_refs");
  out << "5" << std::flush;
  return out.good();
}
inline std::size_t peak_resident_bytes() { return status_bytes("VmHWM:"); }

inline constexpr std::size_t KiB = 1024, MiB = 1024 * KiB;
