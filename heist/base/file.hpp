#pragma once
// Files named by environment variables.

#include <heist/base/export.hpp>
#include <heist/base/fatal.hpp>

#include <cstdio>
#include <string>

HEIST_BEGIN

namespace heist::detail {

// Creates the file and calls write(to). Prints one line on stderr if the file cannot be written
// completely.
template <class F>
void write_file(const char* variable, const std::string& name, F&& write) {
  std::FILE* const to = std::fopen(name.c_str(), "w");
  bool good = to != nullptr;
  if (good) {
    write(to);
    good = std::ferror(to) == 0;
    good = std::fclose(to) == 0 && good;
  }
  if (!good) say((std::string(variable) + ": " + name + " cannot be written").c_str());
}

}  // namespace heist::detail

HEIST_END
