#pragma once
// What --help knows, as plain data: man pages and shell completions are made from it.

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace heist::cli {

struct described_option {
  std::vector<std::string> names;   // -w, --workers; one name without dashes for a positional
  std::string about;
  std::string value;                // such as UINT; empty: it takes none
  std::vector<std::string> choices; // if only these are allowed
  std::string initial;              // the default, or empty
};

struct described_action {
  std::string name;  // in full: heist sim run
  std::string about;
  std::string usage;  // what follows the name
  std::string footer;
  std::vector<described_option> options, positionals;
  std::vector<described_action> actions;

  std::string last_word() const { return name.substr(name.rfind(' ') + 1); }
};

described_action describe(const CLI::App& app);

}  // namespace heist::cli
