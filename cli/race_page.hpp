#pragma once
// The page of `heist race --html`.

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace heist::cli {

// From the program's report (analysis/race/report.cpp) and what was run.
std::string race_page(const nlohmann::json& report, const std::vector<std::string>& words);

}  // namespace heist::cli
