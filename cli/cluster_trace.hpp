#pragma once
// Traces of the processes of one job as one trace: machines as groups of lanes, loans as arrows, losses as marks.

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace heist::cli {

struct merged_trace {
  nlohmann::json all;
  std::size_t machines = 0, loans = 0, lost = 0;
  double bytes_sent = 0;
  double to_begin = 0, to_return = 0;  // medians, µs: from lent to begun there, from ended there to going on here
};

// Each file has another one beside it, with ".cluster" behind its name, that heist::cluster has written. Throws bad_input, in one
// line, if one of them cannot be used.
merged_trace merge_traces(const std::vector<std::string>& files);

// In words, after the trace has been written to that file.
void print_crossings(const merged_trace& m, const std::string& file);

}  // namespace heist::cli
