#pragma once
// Names for addresses: of code, from the debug information, by addr2line; of variables, from the symbol tables.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heist::race {

// One function at an address of code. Several are at the same one where the compiler has inlined.
struct source_place {
  std::string function, file;
  unsigned line = 0;

  bool known() const noexcept { return line != 0; }
  // heist's own, or the standard library's.
  bool is_ours() const;
};

class symbols {
 public:
  // Before names are asked for: all at once is much faster.
  void want(const void* return_address);
  void find_all();
  // The innermost first.
  const std::vector<source_place>& at(const void* return_address) const;
  // The innermost that is the program's own; else the innermost.
  const source_place& own(const void* return_address) const;
  // A variable, or "": the name, and where in it.
  static std::string variable(std::uintptr_t address, std::size_t& offset);

  bool tool_is_missing() const noexcept { return missing_; }

 private:
  std::map<const void*, std::vector<source_place>> all_;
  bool missing_ = false;
};

}  // namespace heist::race
