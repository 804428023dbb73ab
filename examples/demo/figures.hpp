#pragma once
// What the demo measured, as JSON for the report page (cli/report/main.js has its form).

#include <ctime>
#include <fstream>
#include <iomanip>
#include <stdexcept>
#include <string>
#include <vector>

namespace figures {

struct point {  // one program on so many workers
  std::string program;
  unsigned workers;
  double seconds;
  std::size_t steals;
};

struct space {
  std::string program;
  unsigned workers;
  std::size_t peak, bound;
  std::size_t kept;  // what stacks may hold besides frames
};

inline void write(const std::string& path, const std::string& machine, const std::vector<point>& points,
                  const std::vector<space>& spaces) {
  std::ofstream out(path);
  const std::time_t now = std::time(nullptr);
  out << "{\"machine\": " << std::quoted(machine)
      << ", \"date\": " << std::put_time(std::gmtime(&now), "\"%Y-%m-%dT%H:%M:%SZ\"") << ",\n \"points\": [";
  const char* comma = "\n";
  for (const point& p : points) {
    out << comma << R"({"program": )" << std::quoted(p.program) << R"(, "workers": )" << p.workers << R"(, "seconds": )"
        << p.seconds << R"(, "steals": )" << p.steals << "}";
    comma = ",\n";
  }
  out << "],\n \"space\": [";
  comma = "\n";
  for (const space& s : spaces) {
    out << comma << R"({"program": )" << std::quoted(s.program) << R"(, "workers": )" << s.workers << R"(, "peak": )"
        << s.peak << R"(, "bound": )" << s.bound << R"(, "kept": )" << s.kept << "}";
    comma = ",\n";
  }
  out << "]}\n";
  out.close();
  if (!out) throw std::runtime_error(path + " cannot be written");
}

}  // namespace figures
