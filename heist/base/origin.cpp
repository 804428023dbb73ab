#include <heist/base/origin.hpp>
#include <heist/version.hpp>

#include <errno.h>
#include <sys/utsname.h>

#include <cstdio>
#include <ctime>
#include <string_view>

namespace heist::detail {

namespace {

// That of the first processor, which is the first paragraph.
std::string cpu_model() {
  std::FILE* const in = std::fopen("/proc/cpuinfo", "re");
  if (in == nullptr) return "";
  std::string model;
  char part[256];
  while (model.empty() && std::fgets(part, sizeof part, in) != nullptr && *part != '\n') {
    std::string_view line(part);
    if (!line.starts_with("model name")) continue;
    const auto begin = line.find_first_not_of(": ", line.find(':'));
    const auto end = line.find_last_not_of(" \n");
    if (begin <= end && begin != line.npos) model = line.substr(begin, end + 1 - begin);
  }
  std::fclose(in);
  return model;
}

std::string kernel_and_architecture() {
  utsname u;
  if (::uname(&u) != 0) return "";
  return std::string(u.sysname) + ' ' + u.release + ' ' + u.machine;
}

}  // namespace

origin this_run(unsigned processors) {
  return {program_invocation_short_name, HEIST_VERSION, date_and_time(), cpu_model(), processors,
          kernel_and_architecture()};
}

std::string date_and_time() {
  const std::time_t seconds = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace heist::detail
