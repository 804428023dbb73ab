#pragma once
// The report page with data in it.

#include <cli/run_file.hpp>

#include <string>
#include <vector>

namespace heist::cli {

// Of files of one run, or of several; an empty title: the program's name.
std::string make_page(const std::vector<run_file>& files, std::string title);

}  // namespace heist::cli
