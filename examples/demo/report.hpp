#pragma once
// What a table of figures needs: cells of a given width, and a line that says where they were taken.

#include <sched.h>
#include <sys/utsname.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace report {

// Characters on the screen: UTF-8's continuation bytes take no place.
inline std::size_t width_of(const std::string& s) {
  std::size_t n = 0;
  for (const char c : s) n += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
  return n;
}

inline std::string left(const std::string& s, std::size_t width) {
  const std::size_t w = width_of(s);
  return w < width ? s + std::string(width - w, ' ') : s;
}

inline std::string right(const std::string& s, std::size_t width) {
  const std::size_t w = width_of(s);
  return w < width ? std::string(width - w, ' ') + s : s;
}

template <class... T>
std::string text(const char* format, T... values) {
  char buffer[256];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

// 1234567 → 1,234,567
inline std::string grouped(unsigned long long n) {
  std::string s = std::to_string(n);
  for (std::size_t i = s.size(); i > 3; i -= 3) s.insert(i - 3, 1, ',');
  return s;
}

inline std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

inline std::string compiler() {
#if defined(__clang__)
  return "clang++ " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
         std::to_string(__clang_patchlevel__);
#else
  return "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
         std::to_string(__GNUC_PATCHLEVEL__);
#endif
}

// Processor, cores, kernel, compiler, and how busy the machine was before.
inline std::string machine() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int cores = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
  utsname u{};
  ::uname(&u);
  std::string load = "?";
  std::ifstream("/proc/loadavg") >> load;
  return text("%s, %d cores, Linux %s, %s, load %s", processor().c_str(), cores, u.release, compiler().c_str(),
              load.c_str());
}

}  // namespace report
