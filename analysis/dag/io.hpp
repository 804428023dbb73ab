#pragma once
// Computations as files: a text a person can write, JSON, a spawn/sync program; and as a drawing. See README.md.

#include <analysis/dag/dag.hpp>

#include <string>
#include <string_view>

namespace heist::analysis {

// Reads any of the three by what the text begins with. `source` is the file's name, for messages. Throws bad_input.
dag read(std::string_view text, const std::string& source);
dag read_file(const std::string& path);

dag read_text(std::string_view text, const std::string& source);
dag read_json(std::string_view text, const std::string& source);
dag read_program(std::string_view text, const std::string& source);

std::string to_text(const dag& d);
std::string to_json(const dag& d);

struct drawing {
  bool critical_path = false;     // marks a longest path
  double ns_per_instruction = 0;  // 0: durations are shown as numbers of instructions
};
// Each thread a block, its instructions in a row.
std::string to_graphviz(const dag& d, const drawing& how = {});

}  // namespace heist::analysis
