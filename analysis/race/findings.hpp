#pragma once
// The races as people read them: with names, and those of the same two lines of code as one.

#include <analysis/race/found.hpp>
#include <analysis/race/symbols.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heist::race {

struct side {
  access_kind kind;
  bool locked;
  const void* code;
  source_place place;
  std::vector<source_place> calls;  // the last first; empty if not known
};

struct finding {
  side first, second;
  bool has_fork = false;
  fork_kind how = fork_kind::join;
  source_place fork;
  std::string what, variable;
  std::vector<source_place> allocated;
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  std::uint64_t times = 0;
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> ranges;
};

struct findings {
  std::vector<finding> races;
  std::size_t suppressed = 0;
  bool tool_is_missing = false;
};

findings make_findings(const found& races);

}  // namespace heist::race
