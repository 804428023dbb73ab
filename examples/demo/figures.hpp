#pragma once
// What the demo found out, as JSON for the report page (cli/report/main.js has its form).

#include <heist/measurement.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace demo {

class figures {
 public:
  void point(const std::string& program, unsigned workers, double seconds, std::size_t steals) {
    points_.push_back("{\"program\": " + quoted(program) + ", \"workers\": " + number(workers) +
                      ", \"seconds\": " + number(seconds) + ", \"steals\": " + number(steals) + "}");
  }
  void space(const std::string& program, unsigned workers, std::size_t peak, std::size_t bound) {
    space_.push_back("{\"program\": " + quoted(program) + ", \"workers\": " + number(workers) +
                     ", \"peak\": " + number(peak) + ", \"bound\": " + number(bound) + "}");
  }
  void profile(const std::string& program, const heist::measurement& m) {
    std::vector<std::string> workers;
    for (const auto& w : m.workers)
      workers.push_back("{\"strands\": " + number(w.strands) + ", \"busy\": " + number(w.busy) + "}");
    profiles_.push_back("{\"heist_profile\": 1, \"unit\": \"ns\", \"program\": " + quoted(program) +
                        ", \"work\": " + number(m.work) + ", \"span\": " + number(m.span) +
                        ", \"burdened_span\": " + number(m.burdened_span) + ", \"burden\": " + number(m.burden) +
                        ", \"forks\": " + number(m.forks) + ", \"steals\": " + number(m.steals) +
                        ", \"steal_attempts\": " + number(m.steal_attempts) + ", \"suspends\": " + number(m.suspends) +
                        ", \"stack_bytes_peak\": " + number(m.stack_bytes_peak) + ", \"workers\": " + list(workers) +
                        ", \"regions\": []}");
  }

  // False: the file cannot be written.
  bool write(const std::string& file, const std::string& machine) const {
    std::FILE* const to = std::fopen(file.c_str(), "w");
    if (to == nullptr) return false;
    std::fprintf(to, "{\"machine\": %s,\n\"points\": %s,\n\"space\": %s,\n\"profiles\": %s}\n", quoted(machine).c_str(),
                 list(points_).c_str(), list(space_).c_str(), list(profiles_).c_str());
    return std::fclose(to) == 0;
  }

 private:
  // Names of programs and machines have nothing in them that would need more.
  static std::string quoted(const std::string& text) { return '"' + text + '"'; }
  template <class T>
  static std::string number(T n) {
    return std::to_string(n);
  }
  static std::string list(const std::vector<std::string>& items) {
    std::string all;
    for (const std::string& i : items) all += (all.empty() ? "" : ",\n ") + i;
    return "[" + all + "]";
  }

  std::vector<std::string> points_, space_, profiles_;
};

}  // namespace demo
